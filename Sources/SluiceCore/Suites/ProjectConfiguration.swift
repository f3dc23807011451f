package import SluiceSupport

/// The contents of `sluice.yaml` at the project's root.
package struct ProjectConfiguration {
  /// The name of the file that marks a project's root.
  package static let fileName = ProjectFiles.configurationName

  package var file: SourceFile
  /// The backends, not parsed until they are needed; nil if they were reported as invalid.
  package var backends: [BackendEntry]?
  /// The price files; empty if the file names none.
  package var prices: [ProjectPath]
  /// The age limits of recordings.
  package var recordings: RecordingPolicy
  /// The budget of live runs, not parsed until it is needed; nil if there is none.
  package var budget: Node?
  /// The mixes of calls to the features of several suites.
  package var mixes: [MixSpec]

  /// An entry under `backends:`.
  package struct BackendEntry {
    package var name: String
    package var position: SourcePosition
    package var node: Node
  }

  /// Reads the file.
  ///
  /// Also sets ``ProjectFiles/allowedFolders``.
  package static func read(_ files: ProjectFiles) -> ProjectConfiguration? {
    files.allowedFolders = nil
    guard let (root, file) = files.readTree(ProjectPath(fileName)),
      let fields = FieldReader(
        root,
        subject: "sluice.yaml",
        file: file,
        diagnostics: files.diagnostics
      )
    else { return nil }
    if fields.optional("allow-folders") == nil {
      files.allowedFolders = []
    } else {
      files.allowedFolders = fields.optionalTexts("allow-folders")?.map { ProjectPath($0.text) }
    }
    var backends: [BackendEntry]?
    if let node = fields.required("backends") {
      if let members = node.members {
        backends = members.map {
          BackendEntry(name: $0.key, position: $0.keyPosition, node: $0.value)
        }
        for member in members where !Identifier.isFileName(member.key) {
          files.diagnostics.error(
            "the backend name '\(member.key)' must consist of \(Identifier.fileNameRule)",
            in: file,
            at: member.keyPosition
          )
        }
      } else {
        var fix: String?
        if case .sequence(let nodes) = node.value, let first = nodes.first?.members?.first,
          ["name", "id"].contains(first.key), case .string(let name) = first.value.value
        {
          fix =
            "write '\(name):' instead of '- \(first.key): \(name)', and indent its keys below it"
        }
        fields.wrongType("backends", "a mapping of names to backends", node, fix: fix)
      }
    }
    let budget = fields.optional("budget")
    let mixes = fields.optional("mixes").map {
      MixSpec.read($0, in: file, diagnostics: files.diagnostics)
    }
    let prices = prices(fields, files)
    let recordings = fields.optional("recordings").map {
      RecordingPolicy.read($0, in: file, diagnostics: files.diagnostics)
    }
    fields.finish(foreign: .configuration)
    return ProjectConfiguration(
      file: file,
      backends: backends,
      prices: prices,
      recordings: recordings ?? RecordingPolicy(),
      budget: budget,
      mixes: mixes ?? []
    )
  }

  /// Reads the paths of the price files, which are a string or a list of strings.
  private static func prices(_ fields: FieldReader, _ files: ProjectFiles) -> [ProjectPath] {
    guard let node = fields.optional("prices") else { return [] }
    var references: [(text: String, node: Node)]
    if case .sequence(let nodes) = node.value {
      references = fields.texts(nodes, "prices")
    } else {
      references = fields.text(node, "prices").map { [($0, node)] } ?? []
    }
    var paths: [ProjectPath] = []
    for (reference, node) in references {
      guard let path = files.resolve(reference, in: fields.file, at: node.position) else {
        continue
      }
      if paths.contains(path) {
        files.diagnostics.error(
          "the price file '\(path)' is listed twice",
          in: fields.file,
          at: node.position,
          fix: "remove one of the two"
        )
      } else {
        paths.append(path)
      }
    }
    return paths
  }
}

/// The rule for the names of cases, tags, suites and backends.
package enum Identifier {
  package static let rule = "letters, digits, '.', '_' and '-'"
  /// The rule for names that become part of file names.
  package static let fileNameRule = "letters, digits, '.', '_' and '-', and must not start with '.'"

  /// Returns a valid name made from a text by replacing invalid characters with '-'; `nil` if
  /// nothing remains.
  package static func made(of text: String) -> String? {
    var name = ""
    for character in text {
      if isValid(String(character)) {
        name.append(character)
      } else if !name.hasSuffix("-") {
        name.append("-")
      }
    }
    while name.hasSuffix("-") { name.removeLast() }
    while name.hasPrefix("-") || name.hasPrefix(".") { name.removeFirst() }
    return name.isEmpty ? nil : name
  }

  package static func isFileName(_ text: String) -> Bool { isValid(text) && !text.hasPrefix(".") }

  package static func isValid(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
