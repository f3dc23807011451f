/// The origins of the recorded answers that Sluice did not request itself, and the number of
/// answers from each origin.
package struct GivenAnswers: Hashable, Sendable {
  /// The origins, in order of first appearance.
  package private(set) var entries: [Entry] = []

  /// The answers of one origin.
  package struct Entry: Hashable, Sendable {
    package var provenance: Provenance
    package var count: Int

    package init(provenance: Provenance, count: Int) {
      self.provenance = provenance
      self.count = count
    }
  }

  package init(_ entries: [Entry] = []) { self.entries = entries }

  /// Counts, by origin, the recorded answers that Sluice did not request itself.
  package init(of files: [RecordingFile]) {
    var places: [Provenance: Int] = [:]
    for file in files {
      for slot in file.slots {
        guard let recorded = (try? file.answer(slot)).flatMap(\.self), recorded.response.via != nil,
          let answer = try? ResponseReader.response(
            in: recorded.response,
            api: recorded.api,
            places: recorded.places
          )
        else { continue }
        let provenance = answer.provenance.toTheDay
        if let place = places[provenance] {
          entries[place].count += 1
        } else {
          places[provenance] = entries.count
          entries.append(Entry(provenance: provenance, count: 1))
        }
      }
    }
  }
}
