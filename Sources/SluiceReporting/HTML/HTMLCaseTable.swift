import SluiceGating

/// The cases of a page with their questions and expectations, each once, whatever number of columns answers it.
///
/// A case is an array, whose places `data.js` names in the same order.
struct HTMLCaseTable: ~Copyable {
  /// A text up to this many bytes stands in its case, a longer one in the table of pieces.
  private static let longestInPlace = 512

  /// The cases as JSON, one a line, separated by commas.
  private(set) var lines = ByteBuffer(capacity: 1 << 16)
  private var count = 0
  private var names = HTMLTable()
  private var tags = HTMLTable()
  private var classes = HTMLTable()
  private var splits = HTMLTable()
  /// The cases of the suite that is written, by id; empty where each is asked once.
  private var places: [ExactString: Int] = [:]
  /// The version of each case of the suite, from the first one of the suite on.
  private var versions: [DigestText] = []
  private var firstOfSuite = 0
  /// The numbers of the classes of cases, by the sheet of scores that says them; -1 for none.
  private var classesOfSheets: [ObjectIdentifier: Int] = [:]

  /// A case as a trial names it.
  struct Place {
    var number: Int
    /// The texts of the case's input, which a request may name in place of having them; empty where the
    /// table has another version of the case.
    var inputs: [String]
  }

  /// Says that trials of another suite follow.
  mutating func startSuite() {
    places.removeAll()
    versions.removeAll()
    firstOfSuite = count
  }

  /// Finds the case of a trial, which is written where it is new.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - asked: The case; nil where it is not at hand.
  ///   - suite: The number of the suite.
  ///   - isRepeated: True when other trials may be of the same case.
  ///   - pieces: The table of long texts.
  /// - Returns: The number of the case, with the texts that requests may name.
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

  /// The members of an object, each as a text, or as JSON where it is no text.
  private static func fields(_ value: JSONValue) -> [CaseView.Field] {
    guard let object = value.object else { return [CaseView.Field("", text(value))] }
    return object.members.map { CaseView.Field($0.name, text($0.value)) }
  }

  private static func text(_ value: JSONValue) -> String { value.string ?? value.jsonText }

  /// The number of the class of a trial's case; -1 where it has none.
  private mutating func classPlace(_ trial: Trial) -> Int {
    // The trials of the page hold their sheets as long as it is written.
    let key = ObjectIdentifier(trial.sheet)
    if let place = classesOfSheets[key] { return place }
    let place = trial.expectedClass.map { classes.place($0) } ?? -1
    classesOfSheets[key] = place
    return place
  }

  /// The tables that cases share, by the names that the page's program has for them.
  var tables: JSONObject {
    [
      "names": names.json(), "tags": tags.json(), "classes": classes.json(),
      "splits": splits.json(),
    ]
  }
}
