import Foundation
import Testing
import TestSupport

/// Tests of the doc comments in the sources.
@Suite("Doc comments")
struct SourceCommentTests {
  /// A doc comment, with the line of code below it.
  struct Comment: Sendable {
    /// The file and the line, such as `Sources/Sluice/Exports.swift:3`.
    var position: String
    var text: String
    var declaration: String

    /// True if the comment is about a type.
    var isOfType: Bool {
      declaration.contains(
        #/^((package|public|private|fileprivate|final|indirect|open) )*(struct|enum|class|protocol|actor) /#
      )
    }
  }

  private static let comments: [Comment] = {
    let root = ScratchProject.repository.appending(path: "Sources")
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted().flatMap { name -> [Comment] in
      let url = root.appending(path: name)
      let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      var comments: [Comment] = []
      var index = 0
      while index < lines.count {
        let rest = lines[index...]
        let comment = rest.prefix { $0.hasPrefix("///") }
        if !comment.isEmpty {
          let below = rest.dropFirst(comment.count).first { !$0.hasPrefix("@") }
          comments.append(
            Comment(
              position: "Sources/\(name):\(index + 1)",
              text: comment.map { $0.dropFirst(3).trimmingCharacters(in: .whitespaces) }
                .joined(separator: " "),
              declaration: below ?? ""
            )
          )
        }
        index += max(1, comment.count)
      }
      return comments
    }
  }()

  @Test("No doc comment opens with What, Whether or How")
  func openings() {
    #expect(Self.comments.count > 5_000)
    let found = Self.comments.filter { $0.text.contains(#/^(What|Whether|How)\b/#) }
    #expect(found.map(\.position) == [])
  }

  @Test("The doc comment of a type opens with a noun phrase, not with a verb")
  func types() {
    let verb =
      #/^(Adds|Applies|Asks|Builds|Chooses|Collects|Compares|Compiles|Computes|Contains|Converts|Counts|Creates|Decides|Defines|Describes|Draws|Finds|Formats|Gives|Guards|Hides|Holds|Judges|Keeps|Limits|Loads|Makes|Matches|Measures|Parses|Prints|Provides|Reads|Removes|Renders|Replays|Represents|Requires|Returns|Runs|Says|Searches|Selects|Sends|Serves|Shows|Simulates|Splits|Starts|Stops|Stores|Tells|Tracks|Translates|Turns|Uses|Waits|Watches|Wraps|Writes)\b/#
    let found = Self.comments.filter { $0.isOfType && $0.text.contains(verb) }
    #expect(found.map(\.position) == [])
  }

  @Test("No doc comment uses a phrase from the list of confusing phrases")
  func wordings() {
    let found = Self.comments.filter { comment in
      let prose = comment.text.replacing(#/`[^`]*`/#, with: "")
      return DocumentationTests.wordings.contains {
        prose.range(of: $0, options: .caseInsensitive) != nil
      }
    }
    #expect(found.map { "\($0.position): \($0.text)" } == [])
  }
}
