import SluiceGating

/// The cases of a page with their questions and expectations, each stored once for all columns.
///
/// A case is an array; `data.js` names the elements in the same order.
struct HTMLCaseTable: ~Copyable {
  /// The largest size in bytes of a text that is stored in its case rather than in the table of
  /// texts.
  private static let longestInPlace = 512

  /// The cases as JSON, one per line, separated by commas.
  private(set) var lines = ByteBuffer(capacity: 1 << 16)
  private var count = 0
  private var names = HTMLTable()
  private var tags = HTMLTable()
  private var classes = HTMLTable()
  private var splits = HTMLTable()
  /// The indices of the current suite's cases by id; empty if each case is asked once.
  private var places: [ExactString: Int] = [:]
  /// The versions of the current suite's cases, starting with its first case.
  private var versions: [DigestText] = []
  private var firstOfSuite = 0
  /// The indices of the classes of cases, by score sheet; -1 for none.
  private var classesOfSheets: [ObjectIdentifier: Int] = [:]

  /// The index of a case, as trials refer to it.
  struct Place {
    var number: Int
    /// The texts of the case's input, which a request may refer to instead of repeating them.
    ///
    /// They are empty if the table has another version of the case.
    var inputs: [String]
  }

  /// Starts the trials of another suite.
  mutating func startSuite() {
    places.removeAll()
    versions.removeAll()
    firstOfSuite = count
  }

  /// Finds the case of a trial, and adds it if it is new.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - asked: The case, or `nil` if not available.
  ///   - suite: The index of the suite.
  ///   - isRepeated: True if other trials may be of the same case.
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

  /// Returns the members of an object, each as a text, or as JSON if it is not a text.
  private static func fields(_ value: JSONValue) -> [CaseView.Field] {
    guard let object = value.object else { return [CaseView.Field("", text(value))] }
    return object.members.map { CaseView.Field($0.name, text($0.value)) }
  }

  private static func text(_ value: JSONValue) -> String { value.string ?? value.jsonText }

  /// Returns the index of the class of a trial's case, or -1 if it has none.
  private mutating func classPlace(_ trial: Trial) -> Int {
    // The trials of the page hold their sheets as long as it is written.
    let key = ObjectIdentifier(trial.sheet)
    if let place = classesOfSheets[key] { return place }
    let place = trial.expectedClass.map { classes.place($0) } ?? -1
    classesOfSheets[key] = place
    return place
  }

  /// The tables that cases share, by the names that the page's script uses.
  var tables: JSONObject {
    [
      "names": names.json(), "tags": tags.json(), "classes": classes.json(),
      "splits": splits.json(),
    ]
  }
}
