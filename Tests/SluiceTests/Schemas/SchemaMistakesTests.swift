import SampleProjects
import Sluice
import Testing

/// The beginners' mistakes that the schemas detect within a single file.
@Suite("Schemas and mistakes")
struct SchemaMistakesTests {
  /// The reason why a schema accepts a mistake.
  enum Reason: String, CaseIterable {
    case reference = "names something that another file or another place must have"
    case grammar = "stands in a template"
    case content = "is a value whose type a scorer or a template of another file decides"
    case warning = "is a warning, and the file can be used"
    case otherFile = "is about the name, the place or the content of a file without a schema"
    case together = "depends on two values together"
  }

  static let accepted: [String: Reason] = Dictionary(
    uniqueKeysWithValues: mistakes.flatMap { reason, names in names.map { ($0, reason) } }
  )

  private static let mistakes: [Reason: [String]] = [
    .reference: [
      "The part of the case before the name",
      "The name that promptfoo has for inputs",
      "A capital letter in a name",
      "A label that the suite does not have",
      "A label with a capital letter",
      "Messages as a text",
      "fpr",
      "acc",
      "false_positive_rate with underscores",
      "tpr, which two scorers emit",
      "latency_ms",
      "A name that means nothing",
      "p95_latency",
      "p95",
      "A tag that no case has",
      "A comment with slashes after a value",
      "A name with a dot",
      "The folder of a dataset",
      "A misspelt dataset",
      "A misspelt prompt",
      "A path from the root",
      "A prompt in the suite",
      "A misspelt backend",
      "A model in place of a backend",
      "A missing price file",
    ],
    .grammar: [
      "A filter",
      "A variable that is not closed",
      "Triple braces",
      "A variable that is closed by one brace",
    ],
    .content: [
      "A number where a text is expected, in a list",
      "A number as a label of a case",
      "A number where a list of texts is expected",
      "false in quotes",
      "no in place of false",
      "1 in place of true",
      "A text that begins with a number sign",
    ],
    .warning: [
      "A dollar sign",
      "Single braces",
      "A tag of Jinja",
      "Curly quotes around a label",
      "Curly quotes around a model",
      "Members of another type in equals",
    ],
    .otherFile: [
      "Tabs between columns",
      "Semicolons between columns",
      "A comma in a cell without quotes",
      "A cell too few",
      "Quotes inside of a cell",
      "A quote that is not closed",
      "An empty line",
      "A column without its part",
      "No header",
      "Spaces after commas",
      "A comma at the end of each line",
      "Quotes after a backslash",
      "A file of JSON",
      "A file beside the folder",
      "A file with another name",
      "A suite in another place",
    ],
    .together: [
      "No percent sign",
      "A time without a unit",
      "An amount without a dollar sign",
      "An id that stands twice",
    ],
  ]

  /// Returns the errors that the schemas find in the project with a mistake.
  private static func faults(_ mistake: Mistake) throws -> [String] {
    let files = try MistakenProject(mistake).files
    return try files.sorted { $0.key < $1.key }.flatMap { path, text in
      try FileSchemas(path: path)?.faults(in: text).map { "\(path): \($0)" } ?? []
    }
  }

  @Test("The project without a mistake conforms")
  func sound() throws {
    for (path, text) in MistakenProject().files {
      #expect(try FileSchemas(path: path)?.faults(in: text) ?? [] == [])
    }
  }

  @Test(
    "A mistake violates a schema, or is in the list of mistakes that schemas cannot detect",
    arguments: BeginnersMistakesTests.all
  )
  func refused(mistake: Mistake) throws {
    let faults = try Self.faults(mistake)
    if let reason = Self.accepted[mistake.name] {
      #expect(faults.isEmpty, "it is found: take it off the list (\(reason.rawValue))")
    } else {
      #expect(!faults.isEmpty, "\(mistake.report)")
    }
  }

  @Test("The list contains only existing mistakes")
  func known() {
    let names = Set(BeginnersMistakesTests.all.map(\.name))
    #expect(Set(Self.accepted.keys).subtracting(names) == [])
  }
}
