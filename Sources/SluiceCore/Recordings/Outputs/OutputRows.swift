import SluiceSupport

/// The rows of an outputs file, grouped by case.
///
/// They are collected while the file is read.
struct OutputRows {
  private(set) var rows: [OutputsFile.Row] = []
  /// The index of the first row of each case, by the id of the case.
  private(set) var first: [String: UInt32] = [:]
  private var last: [String: UInt32] = [:]
  /// The prompts that rows name.
  private(set) var prompts: [String] = []
  private var cases: CaseIndex?
  private let dataset: String
  private let diagnostics: DiagnosticCollector

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - cases: The cases that rows may answer. Nil if the cases are unknown; every id is then
  ///     valid.
  ///   - dataset: The file of the cases.
  ///   - diagnostics: Receives the errors.
  init(for cases: [StoredCase]?, in dataset: String, _ diagnostics: DiagnosticCollector) {
    self.cases = cases.map(CaseIndex.init)
    self.dataset = dataset
    self.diagnostics = diagnostics
    first.reserveCapacity(cases?.count ?? 0)
  }

  /// Returns true if a row needs no ``check(_:_:in:)``.
  ///
  /// The id of such a row is known, and the row has no input to compare. If the cases are unknown,
  /// every id counts as known.
  mutating func isKnown(_ row: OutputRow) -> Bool {
    guard cases != nil else { return row.input == nil }
    guard let id = row.id, row.input == nil else { return false }
    return cases?.contains(id) == true
  }

  /// Reports a row whose case is unknown, or whose input differs from the input of the case.
  mutating func check(_ row: OutputRow, _ node: Node, in file: SourceFile) {
    guard cases != nil else { return }
    func refuse(_ message: String, _ node: Node, fix: String?) {
      diagnostics.error(message, in: file, at: node.position, fix: fix)
    }
    if let id = row.id {
      guard let stored = cases?[id] else {
        return refuse(
          "there is no case '\(id)' in \(dataset)",
          node["id"] ?? node,
          fix: cases?.nearest(id).map { "did you mean '\($0)'?" }
            ?? "remove the row, or add the case"
        )
      }
      if let input = row.input, stored.testCase.input != input {
        refuse(
          "the input differs from the input of the case '\(id)' in \(dataset)",
          node["input"] ?? node,
          fix: "the answer belongs to another input; remove the row, or correct the case"
        )
      }
    } else if let input = row.input, cases?.ids(of: input).isEmpty == true {
      refuse(
        "no case in \(dataset) has this input",
        node["input"] ?? node,
        fix: "add the 'id' of the case, or remove the row"
      )
    }
  }

  /// Adds a row to the cases that it answers.
  ///
  /// If the row is a duplicate, it is reported instead.
  mutating func add(
    _ row: OutputRow,
    _ place: inout OutputsFile.Row,
    in file: SourceFile,
    _ position: () -> SourcePosition
  ) {
    place.repetition = UInt32(row.repetition)
    if let prompt = row.prompt { place.prompt = number(prompt) }
    let ids = row.id.map { [$0] } ?? row.input.flatMap { cases?.ids(of: $0) } ?? []
    for id in ids { add(place, of: id, row, in: file, position) }
  }

  private mutating func add(
    _ place: OutputsFile.Row,
    of id: String,
    _ row: OutputRow,
    in file: SourceFile,
    _ position: () -> SourcePosition
  ) {
    guard rows.count < Int(OutputsFile.Row.none) else { return }
    let own = UInt32(rows.count)
    guard let previous = last[id] ?? first[id] else {
      first[id] = own
      rows.append(place)
      return
    }
    var other = first[id] ?? OutputsFile.Row.none
    while other != OutputsFile.Row.none {
      let earlier = rows[Int(other)]
      let isSamePrompt =
        earlier.prompt == place.prompt || earlier.prompt == 0 || place.prompt == 0
      if earlier.repetition == place.repetition, isSamePrompt {
        diagnostics.error(
          "line \(earlier.number) already has a row for \(Self.name(id, row))",
          in: file,
          at: position(),
          fix: "remove one of the two; if they are repeats, number them with 'repeat' from 1"
        )
        return
      }
      other = earlier.next
    }
    rows[Int(previous)].next = own
    rows.append(place)
    last[id] = own
  }

  private static func name(_ id: String, _ row: OutputRow) -> String {
    var name = "the case '\(id)'"
    if let prompt = row.prompt { name += " with the prompt '\(prompt)'" }
    return row.repetition == 1 ? name : name + ", repeat \(row.repetition)"
  }

  private mutating func number(_ prompt: String) -> UInt32 {
    if let place = prompts.lastIndex(of: prompt) { return UInt32(place + 1) }
    prompts.append(prompt)
    return UInt32(prompts.count)
  }
}

/// The cases of a dataset, by id.
///
/// For a row without an id, the cases are looked up by input.
private struct CaseIndex {
  private let cases: [StoredCase]
  private var places: [String: UInt32]
  /// The cases by the digest of their input.
  ///
  /// The dictionary is computed when a row first needs it.
  private var inputs: [Digest: [String]]?

  init(_ cases: [StoredCase]) {
    self.cases = cases
    places = Dictionary(minimumCapacity: cases.count)
    for (index, stored) in cases.enumerated() { places[stored.id] = UInt32(index) }
  }

  func contains(_ id: String) -> Bool { places[id] != nil }

  subscript(id: String) -> StoredCase? { places[id].map { cases[Int($0)] } }

  func nearest(_ id: String) -> String? {
    NearestName.of(id, among: cases.lazy.map(\.id))
  }

  /// Returns the ids of the cases that have a given input.
  ///
  /// Inputs are compared by canonical JSON.
  mutating func ids(of input: JSONValue) -> [String] {
    if inputs == nil {
      inputs = Dictionary(
        cases.map {
          (SHA256.digest(JSONWriter.canonical($0.testCase.input, isExact: true)), [$0.id])
        },
        uniquingKeysWith: +
      )
    }
    return inputs?[SHA256.digest(JSONWriter.canonical(input, isExact: true))] ?? []
  }
}
