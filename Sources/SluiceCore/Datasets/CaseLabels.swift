import SluiceSupport

/// The labels by which results are grouped, shared by many cases.
package final class CaseLabels: Hashable, Sendable {
  package let tags: [String]
  package let split: String?
  package let cluster: String?

  package init(tags: [String] = [], split: String? = nil, cluster: String? = nil) {
    self.tags = tags
    self.split = split
    self.cluster = cluster
  }

  package static func == (left: CaseLabels, right: CaseLabels) -> Bool {
    left === right
      || left.tags == right.tags && left.split == right.split && left.cluster == right.cluster
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(tags)
    hasher.combine(split)
    hasher.combine(cluster)
  }
}

extension CaseLabels {
  /// A pool that shares instances among cases with equal labels.
  struct Pool {
    private var known: Set<CaseLabels> = []
    private var last = CaseLabels()

    /// Returns the shared instance for some labels.
    ///
    /// Only adjacent cases share labels with a cluster, because the cases of a cluster are usually
    /// adjacent.
    mutating func labels(tags: [String], split: String?, cluster: String?) -> CaseLabels {
      if last.cluster != cluster || last.split != split || last.tags != tags {
        let wanted = CaseLabels(tags: tags, split: split)
        let plain = known.insert(wanted).memberAfterInsert
        last =
          cluster == nil
          ? plain : CaseLabels(tags: plain.tags, split: plain.split, cluster: cluster)
      }
      return last
    }
  }
}
