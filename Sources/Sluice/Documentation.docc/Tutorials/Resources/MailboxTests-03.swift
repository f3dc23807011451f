import SluiceTesting
import Testing

@Test("The mailbox prompt may ship")
func mailbox() throws {
  let result = try SuiteTest("mailbox", in: #filePath).check()
  let accuracy = try result.estimate("accuracy")
  #expect(accuracy.value >= 0.85, "\(accuracy.n) cases")
}

@Test("The mailbox feature passes its suite")
func feature() async throws {
  try await SuiteTest("mailbox", in: #filePath).check { question in
    try await Mailbox().sort(question.input["message"]?.string ?? "")
  }
}
