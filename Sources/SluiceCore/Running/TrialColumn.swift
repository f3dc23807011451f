import SluiceSupport

/// The names of a prompt and a backend, which the trials of a column share.
final class TrialColumn: Hashable, Sendable {
  let prompt: String
  let backend: String

  init(prompt: String, backend: String) {
    self.prompt = prompt
    self.backend = backend
  }

  static func == (left: TrialColumn, right: TrialColumn) -> Bool {
    left === right || left.prompt == right.prompt && left.backend == right.backend
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(prompt)
    hasher.combine(backend)
  }
}
