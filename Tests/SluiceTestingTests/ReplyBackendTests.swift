import Sluice
import SluiceTesting
import Testing

@Suite("ReplyBackend")
struct ReplyBackendTests {
  @Test("It follows the rules of backends")
  func rules() async {
    let conformance = BackendConformance(secret: "key-123") { world in
      ReplyBackend { message in
        switch world {
        case .answering(let text): return text
        case .echoing: return message
        case .absent: throw BackendError(.noConnection, "there is no server")
        case .breakingOff, .failing: throw BackendError(.serverError, "it failed")
        case .hanging:
          try await Task.sleep(for: .seconds(60))
          return ""
        }
      }
    }
    let report = await conformance.report()
    #expect(report.isConforming, "\(report)")
  }
}
