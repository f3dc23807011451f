import SluiceSupport

/// A pair of a prompt and a backend, whose trials are evaluated together.
///
/// All trials of a column refer to the same instance of this class.
package final class Column: Hashable, Sendable {
  package let prompt: String
  package let backend: String

  package init(prompt: String, backend: String) {
    self.prompt = prompt
    self.backend = backend
  }

  package static func == (left: Column, right: Column) -> Bool {
    left === right || left.prompt == right.prompt && left.backend == right.backend
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(prompt)
    hasher.combine(backend)
  }
}
