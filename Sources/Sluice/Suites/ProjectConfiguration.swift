/// What `sluice.yaml`, at the project's root, says.
package struct ProjectConfiguration {
  /// The name of the file that marks a project's root.
  package static let fileName = "sluice.yaml"

  package var file: SourceFile
  /// The backends by name, each kept as written until it is needed.
  package var backends: [BackendEntry]
  /// The price file, with the place that names it.
  package var prices: ProjectPath?

  /// An entry under `backends:`.
  package struct BackendEntry {
    package var name: String
    package var position: SourcePosition
    package var node: Node
  }

  /// Reads the file and sets what folders ``ProjectFiles`` may follow references into.
  package static func read(_ files: ProjectFiles) -> ProjectConfiguration? {
    guard let (root, file) = files.readTree(ProjectPath(fileName)),
      let fields = FieldReader(
        root,
        subject: "sluice.yaml",
        file: file,
        diagnostics: files.diagnostics
      )
    else { return nil }
    files.allowedFolders = (fields.optionalTexts("allow-folders") ?? []).map {
      ProjectPath($0.text)
    }
    var backends: [BackendEntry] = []
    if let node = fields.required("backends") {
      if let members = node.members {
        backends = members.map {
          BackendEntry(name: $0.key, position: $0.keyPosition, node: $0.value)
        }
        for backend in backends where !Identifier.isValid(backend.name) {
          files.diagnostics.error(
            "the backend name '\(backend.name)' holds characters other than \(Identifier.rule)",
            in: file,
            at: backend.position
          )
        }
      } else {
        fields.wrongType("backends", "a mapping of names to backends", node)
      }
    }
    var prices: ProjectPath?
    if let node = fields.optional("prices"), let reference = fields.text(node, "prices") {
      prices = files.resolve(reference, in: file, at: node.position)
    }
    fields.finish()
    return ProjectConfiguration(file: file, backends: backends, prices: prices)
  }
}

/// The rule for names that end up in the names of files.
package enum Identifier {
  package static let rule = "letters, digits, '.', '_' and '-'"

  package static func isValid(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix(".")
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
