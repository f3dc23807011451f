import SluiceGating

/// The cases of a page with their questions and expectations.
///
/// All columns share these cases.
///
/// Each case is written as an array. `data.js` reads the elements in the same order.
struct HTMLCaseTable: ~Copyable {
  /// The maximum size in bytes of a text that is stored in its case, not in the table of texts.
  private static let longestInPlace = 512

  /// The cases as JSON arrays, one per line, separated by commas.
  private(set) var lines = ByteBuffer(capacity: 1 << 16)
  private var count = 0
  private var names = HTMLTable()
  private var tags = HTMLTable()
  private var classes = HTMLTable()
  private var splits = HTMLTable()
  /// The indices of the current suite's cases by id; empty if each case has only one trial.
  private var places: [ExactString: Int] = [:]
  /// The digests of the current suite's cases, in the order in which the cases were added.
  private var versions: [DigestText] = []
  private var firstOfSuite = 0
  /// For each score sheet, the index of the expected class, or -1 if cases with that sheet have no
  /// class.
  private var classesOfSheets: [ObjectIdentifier: Int] = [:]

  /// The position of a case in the table.
  struct Place {
    var number: Int
    /// The texts of the case's input; a request may refer to these texts instead of repeating them.
    ///
    /// The list is empty if the table already has a different version of the case.
    var inputs: [String]
  }

  /// Forgets the previous suite before the trials of the next one.
  mutating func startSuite() {
    places.removeAll()
    versions.removeAll()
    firstOfSuite = count
  }

  /// Finds the case of a trial, and adds it if it is new.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - asked: The case, or `nil` if it is not available.
  ///   - suite: The index of the suite.
  ///   - isRepeated: True if other trials may have the same case.
  ///   - pieces: The table of long texts.
  /// - Returns: The index of the case, with the texts that requests may refer to.
  mutating func place(
    _ trial: Trial,
    _ asked: Evidence.AskedCase?,
    suite: Int,
    isRepeated: Bool,
    pieces: inout HTMLPieces
  ) -> Place {
    let input = asked.map { Self.fields($0.testCase.input) } ?? []
    if isRepeated {
      let key = ExactString(trial.caseID)
      if let number = places[key] {
        let isSame = versions[number - firstOfSuite] == trial.caseVersion
        return Place(number: number, inputs: isSame ? input.map(\.text) : [])
      }
      places[key] = count
      versions.append(trial.caseVersion)
    }
    append(trial, asked, input, suite: suite, &pieces)
    count += 1
    return Place(number: count - 1, inputs: input.map(\.text))
  }

  private mutating func append(
    _ trial: Trial,
    _ asked: Evidence.AskedCase?,
    _ input: [CaseView.Field],
    suite: Int,
    _ pieces: inout HTMLPieces
  ) {
    lines.append(count == 0 ? "\n[" : ",\n[")
    lines.append(digitsOf: UInt(suite))
    lines.append(",")
    JSONWriter.append(trial.caseID, to: &lines)
    lines.append(",")
    if let line = asked?.line { lines.append(digitsOf: UInt(line)) } else { lines.append("null") }
    lines.append(",[")
    for (index, tag) in trial.tags.enumerated() {
      if index > 0 { lines.append(",") }
      JSONWriter.append(tags.place(tag), to: &lines)
    }
    lines.append("],")
    JSONWriter.append(classPlace(trial), to: &lines)
    lines.append(",")
    JSONWriter.append(trial.split.map { splits.place($0) } ?? -1, to: &lines)
    append(input, &pieces)
    var expected = asked.map { Self.fields($0.testCase.expected) } ?? []
    if let asked {
      expected += asked.assertions.map { CaseViewMaker.asserted($0, asked.testCase) }
    } else if let name = trial.expectedClass {
      expected = [CaseView.Field("class", name)]
    }
    append(expected, &pieces)
    lines.append("]")
  }

  private mutating func append(_ fields: [CaseView.Field], _ pieces: inout HTMLPieces) {
    lines.append(",[")
    for (index, field) in fields.enumerated() {
      if index > 0 { lines.append(",") }
      JSONWriter.append(names.place(field.name), to: &lines)
      lines.append(",")
      if field.text.utf8.count <= Self.longestInPlace {
        JSONWriter.append(field.text, to: &lines)
      } else {
        pieces.append(field.text, to: &lines)
      }
    }
    lines.append("]")
  }

  /// Returns the members of an object.
  ///
  /// A value that is not a string becomes JSON text.
  private static func fields(_ value: JSONValue) -> [CaseView.Field] {
    guard let object = value.object else { return [CaseView.Field("", text(value))] }
    return object.members.map { CaseView.Field($0.name, text($0.value)) }
  }

  private static func text(_ value: JSONValue) -> String { value.string ?? value.jsonText }

  /// Returns the index of the expected class of a trial's case, or -1 if the case has no class.
  private mutating func classPlace(_ trial: Trial) -> Int {
    // The trials retain their sheets while the page is written, so the identifier stays valid.
    let key = ObjectIdentifier(trial.sheet)
    if let place = classesOfSheets[key] { return place }
    let place = trial.expectedClass.map { classes.place($0) } ?? -1
    classesOfSheets[key] = place
    return place
  }

  /// The tables that cases refer to, under the names that the page's script uses.
  var tables: JSONObject {
    [
      "names": names.json(), "tags": tags.json(), "classes": classes.json(),
      "splits": splits.json(),
    ]
  }
}
