import Foundation
import Sluice
import SluiceCore
import SluiceSupport
import StandInModel
import Testing

/// The comparison of this project's recordings with the stand-in's current answers.
@Suite("Committed recordings")
struct CommittedRecordingsTests {
  @Test("The stand-in's recorded answers equal its current ones")
  func current() throws {
    let repository = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let files = try #require(DiskFileSystem(root: repository.path))
    let loaded = ProjectLoader.load(
      ProjectLoader.Selection(suites: ["clarity"], backends: ["stand-in"]),
      from: files
    )
    let plan = try #require(loaded.suites.first).plan
    let stores = RecordingStore.all(
      of: plan,
      in: files,
      kinds: [.accepted]
    )
    #expect(stores.faults.isEmpty)
    let requests = plan.recordingRequests(RecordingRequest.Selection(scope: .all), in: stores)
    #expect(requests.count > 100)
    var changed: [String] = []
    for request in requests {
      let store = try #require(stores[request.request.backend])
      let recorded = try #require(try store.answer(request.slot)).response().text
      let messages = request.request.body["messages"]?.array ?? []
      func text(_ role: String) -> String {
        messages.filter { $0["role"]?.string == role }
          .compactMap { $0["content"]?.string }.joined(separator: "\n")
      }
      let today = StandInModel().answer(system: text("system"), user: text("user"))
      if recorded != today { changed.append(request.hints.testCase) }
    }
    #expect(changed == [], "run 'make record-demo' and commit what it records")
  }
}
