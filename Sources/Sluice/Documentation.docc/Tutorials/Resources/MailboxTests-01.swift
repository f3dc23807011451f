import SluiceTesting
import Testing

@Test("The mailbox prompt may ship")
func mailbox() throws {
  try SuiteTest("mailbox", in: #filePath).check()
}
