import Foundation
import Sluice

/// The program that creates a project with two classification suites of real texts; see
/// Benchmarks/README.md.
///
/// A naive Bayes classifier gives the answers. A script compares the confusion matrices and the
/// metrics with scikit-learn's.
///
/// Arguments: the folder with `clinc150.jsonl` and `banking77.csv`, and the folder for the project.
@main
struct Program {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map(\.self)
    guard arguments.count == 2 else {
      say("usage: LabelledTexts DATA FOLDER")
      exit(2)
    }
    do {
      try make(from: arguments[0], in: arguments[1])
    } catch {
      say("\(error)")
      exit(2)
    }
  }

  private static func make(from data: String, in folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard let files = DiskFileSystem(root: folder) else {
      throw Trouble("the folder '\(folder)' cannot be used")
    }
    try files.write(
      Array("backends:\n  naive-bayes: {type: openai, model: naive-bayes}\n".utf8),
      to: ProjectPath("sluice.yaml")
    )
    let sets = [
      LabelledSet("clinc150", try LabelledText.clinc("\(data)/clinc150.jsonl"), doubt: nil),
      // With `doubt`, the matrix also has a column for `unsure`, which the script compares as well.
      LabelledSet("banking77", try LabelledText.banking("\(data)/banking77.csv"), doubt: 0.5),
    ]
    for set in sets {
      for (path, bytes) in set.files { try files.write(bytes, to: ProjectPath(path)) }
    }
    let loaded = ProjectLoader.load(from: files)
    guard !loaded.hasErrors, loaded.suites.count == sets.count else {
      throw Trouble(loaded.diagnostics.prefix(3).map(\.description).joined())
    }
    for set in sets {
      guard let suite = loaded.suites.first(where: { $0.plan.name == set.name }) else {
        throw Trouble("the suite '\(set.name)' is missing")
      }
      let recordings = try set.recordings(for: suite.plan)
      try files.write(recordings.bytes, to: recordings.path)
      say("\(set.name): \(set.labels.count) labels, \(recordings.count) recordings")
    }
  }

  private static func say(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
  }
}

/// A text with its label.
struct LabelledText {
  var id: String
  var split: String
  var text: String
  var label: String

  static func clinc(_ path: String) throws -> [LabelledText] {
    try contents(path).split(separator: 0x0A).map { line in
      let value = try JSONReader.value(Array(line))
      guard let id = value["id"]?.string, let split = value["split"]?.string,
        let text = value["text"]?.string, let label = value["label"]?.string
      else { throw Trouble("a line of '\(path)' is not as expected") }
      return LabelledText(id: id, split: split, text: text, label: label)
    }
  }

  static func banking(_ path: String) throws -> [LabelledText] {
    let (rows, problems) = CSVReader.read(Array(try contents(path)))
    guard problems.isEmpty, rows.first?.map(\.text) == ["id", "split", "text", "label"] else {
      throw Trouble("'\(path)' is not as expected")
    }
    return rows.dropFirst().map {
      LabelledText(id: $0[0].text, split: $0[1].text, text: $0[2].text, label: $0[3].text)
    }
  }

  private static func contents(_ path: String) throws -> Data {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw Trouble("there is no '\(path)'")
    }
    return bytes
  }
}

/// The reason why nothing could be created.
struct Trouble: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
