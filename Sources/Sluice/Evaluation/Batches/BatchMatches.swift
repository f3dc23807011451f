import SluiceReporting

/// The matches between the lines of batch files and the requests of the project.
struct BatchMatches {
  /// The result lines for one request of the project.
  struct Group {
    var key: Digest
    /// The result lines in order, each with the number of the repeat if its `custom_id` has one.
    var lines: [(result: BatchFiles.Result, repetition: Int?)] = []
  }

  /// The reason why a line matches no request.
  enum Stranger {
    /// Sluice did not write the `custom_id`, and no file of requests contains it.
    case unknown
    /// Sluice wrote the `custom_id`, but the project does not have the request anymore.
    case gone
    /// A file of requests contains the request, but no backend would send its body.
    case other(BatchFiles.Asked)
  }

  private let files: BatchFiles
  let hasRequests: Bool
  private(set) var places: [Digest: [BatchTargets.Place]] = [:]
  /// The groups, in the order of their first lines.
  private(set) var groups: [Group] = []
  private(set) var strangers: [(result: BatchFiles.Result, why: Stranger)] = []
  /// The key and the repeat of each request in the files of requests, in order.
  private(set) var asked: [(key: Digest, repetition: Int)] = []
  /// The requests whose body more than one backend would send.
  private(set) var ambiguous: [BatchFiles.Asked] = []

  init(_ files: BatchFiles, hasRequests: Bool) {
    self.files = files
    self.hasRequests = hasRequests
  }

  /// Looks up the requests of the project, and assigns the result lines to them.
  mutating func find(in targets: inout BatchTargets) {
    var wanted = Set(files.asked.values.flatMap { $0.keys.map(\.key) })
    for result in files.results {
      if let key = BatchRequestID(result.line.id)?.key { wanted.insert(key) }
    }
    places = targets.places(of: wanted)
    var known: [String: Digest] = [:]
    for id in files.order {
      guard let entry = files.asked[id] else { continue }
      let keys = entry.keys.map(\.key).filter { places[$0] != nil }
      if keys.count > 1 { ambiguous.append(entry) }
      known[id] = keys.first
    }
    group(known)
  }

  private mutating func group(_ known: [String: Digest]) {
    var numbers: [Digest: Int] = [:]
    for result in files.results {
      let id = result.line.id
      let own = BatchRequestID(id)
      let key: Digest
      if let found = known[id] {
        key = found
      } else if let asked = files.asked[id] {
        strangers.append((result, .other(asked)))
        continue
      } else if let own {
        guard places[own.key] != nil else {
          strangers.append((result, .gone))
          continue
        }
        key = own.key
      } else {
        strangers.append((result, .unknown))
        continue
      }
      if numbers[key] == nil {
        numbers[key] = groups.count
        groups.append(Group(key: key))
      }
      if let number = numbers[key] { groups[number].lines.append((result, own?.repetition)) }
    }
    var repeats: [Digest: Int] = [:]
    for id in files.order {
      guard let key = known[id] else { continue }
      repeats[key, default: 0] += 1
      asked.append((key, BatchRequestID(id)?.repetition ?? repeats[key] ?? 1))
    }
  }

  /// Returns the faults that stop the whole import.
  ///
  /// - Parameters:
  ///   - backends: The backends that may have answered.
  ///   - isChosen: True if the command line names the backend that answered.
  /// - Returns: One fault, or an empty list.
  func refusals(_ backends: [BackendDefinition], isChosen: Bool) -> [Diagnostic] {
    if let first = ambiguous.first {
      let names = first.keys.filter { places[$0.key] != nil }.map { backends[$0.backend].name }
      return [
        files.diagnostic(
          first.line,
          "\(names.count) backends would send the request '\(first.line.id)': "
            + names.joined(separator: ", "),
          fix: "name the backend that answered, such as --backend \(names[0])"
        )
      ]
    }
    // If no request matches, the cause may be that no backend uses the model of the batch. Report
    // this cause once instead of for each line.
    guard !isChosen, groups.isEmpty, !files.asked.isEmpty,
      files.asked.values.allSatisfy({ $0.keys.isEmpty }), let id = files.order.first,
      let first = files.asked[id]
    else { return [] }
    let type = first.types.first ?? "openai"
    let isNamed = !first.model.isEmpty
    let name = isNamed ? Identifier.made(of: first.model) ?? "answers" : "answers"
    let model = isNamed ? JSONValue.string(first.model).jsonText : "MODEL"
    return [
      files.diagnostic(
        first.line,
        isNamed
          ? "no backend of sluice.yaml uses the model '\(first.model.prefix(100))'"
          : "no backend of sluice.yaml has the type '\(type)'",
        fix: "add one under 'backends:', for example \(name): {type: \(type), model: \(model)}"
      )
    ]
  }
}
