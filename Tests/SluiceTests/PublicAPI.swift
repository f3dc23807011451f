import Foundation

/// The public declarations of the library, found in the text of its sources.
///
/// The formatter indents members by two columns, so the enclosing types follow from the indentation.
struct PublicAPI {
  /// The modules of the library, in the order of their dependencies.
  static let modules = [
    "SluiceStatistics", "SluiceSupport", "SluiceCore", "SluiceGating", "SluiceReporting", "Sluice",
    "SluiceTesting",
  ]

  /// The list: a heading for each module, then a line for each declaration, sorted.
  let text: String

  /// Reads the sources in a folder with a subfolder for each module.
  init(sources: URL) throws {
    var lines: [String] = []
    for module in Self.modules {
      var found: [String] = []
      let folder = sources.appending(path: module)
      for name in FileManager.default.subpaths(atPath: folder.path) ?? []
      where name.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        found += Self.declarations(in: text)
      }
      if found.isEmpty { continue }
      lines += (lines.isEmpty ? [] : [""]) + ["# \(module)", ""] + found.sorted()
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  /// A type or extension whose members are being read.
  private struct Scope {
    var indent: Int
    var name: String
    /// True for enums and protocols that are public, whose cases and requirements are public too.
    var exposesAll: Bool
  }

  /// Returns the public declarations in a file, each with the names of the types around it.
  static func declarations(in text: String) -> [String] {
    var found: [String] = []
    var scopes: [Scope] = []
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst() {
      let code = line.drop { $0 == " " }
      let indent = line.count - code.count
      if code.isEmpty || code.hasPrefix("//") || code.hasPrefix("@") && !code.contains(" public ") {
        continue
      }
      while let last = scopes.last, indent <= last.indent { scopes.removeLast() }
      // A line within a body, or the end of one.
      guard indent == (scopes.last?.indent ?? -2) + 2, code.first != "}" else { continue }
      var declaration = String(code)
      while !isComplete(declaration), let next = lines.popFirst() {
        declaration += " " + next.drop { $0 == " " }
      }
      guard let head = head(of: declaration) else { continue }
      let isPublic =
        head.isPublic || scopes.last?.exposesAll == true && !head.isHidden
      let names = scopes.map(\.name)
      if isPublic { found.append((names + [head.text]).joined(separator: " / ")) }
      if let name = head.typeName, declaration.hasSuffix("{") {
        let exposesAll = isPublic && ["enum", "protocol"].contains(head.keyword)
        scopes.append(Scope(indent: indent, name: name, exposesAll: exposesAll))
      }
    }
    return found
  }

  /// Returns true if the parentheses of a declaration are closed and its first line is whole.
  private static func isComplete(_ declaration: String) -> Bool {
    var depth = 0
    for character in declaration {
      switch character {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      default: break
      }
    }
    if depth > 0 { return false }
    let isFunction = declaration.contains(" func ") || declaration.contains("init(")
    return !isFunction || declaration.contains("{") || !declaration.hasSuffix(")")
      || !declaration.contains("public ")
  }

  private struct Head {
    var text: String
    var keyword: String
    /// The name of a type, or of the type that is extended.
    var typeName: String?
    var isPublic: Bool
    var isHidden: Bool
  }

  /// Returns a declaration without its body and access; nil for anything else.
  private static func head(of declaration: String) -> Head? {
    let body = declaration.prefix { $0 != "{" }
    let words = body.split(separator: " ")
    let keywords: Set<String> = [
      "struct", "enum", "class", "actor", "protocol", "extension", "func", "var", "let", "init",
      "subscript", "typealias", "associatedtype", "case",
    ]
    guard
      let place = words.firstIndex(where: { word in
        keywords.contains(String(word.prefix { $0.isLetter }))
          && !word.hasPrefix("case.")
      }),
      words[..<place].allSatisfy({ $0.hasPrefix("@") || modifiers.contains(String($0)) })
    else { return nil }
    let access = words[..<place]
    let keyword = String(words[place].prefix { $0.isLetter })
    let kept = words.filter { !["public", "final", "open"].contains($0) && !$0.hasPrefix("@") }
    let types = ["struct", "enum", "class", "actor", "protocol", "extension"]
    let name = types.contains(keyword) && place + 1 < words.count ? words[place + 1] : nil
    return Head(
      text: kept.joined(separator: " "),
      keyword: keyword,
      typeName: name.map {
        String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
      },
      isPublic: access.contains("public") || access.contains("open"),
      isHidden: access.contains { ["private", "fileprivate", "package", "internal"].contains($0) }
    )
  }

  private static let modifiers: Set<String> = [
    "public", "open", "package", "internal", "private", "fileprivate", "final", "static", "class",
    "indirect", "mutating", "nonmutating", "nonisolated", "override", "required", "convenience",
    "private(set)", "package(set)", "internal(set)", "fileprivate(set)", "lazy", "weak", "async",
  ]
}
