/// Order statistics without sorting the whole sample.
enum OrderStatistic {
  /// Returns the value at an index of the sorted sample (Hoare 1961, "Find").
  ///
  /// - Parameters:
  ///   - rank: The index, from 0 to the number of values minus 1.
  ///   - values: The sample, in any order.
  /// - Returns: The value.
  static func value(at rank: Int, of values: [Double]) -> Double {
    var values = values
    var range = values.indices
    // Most rounds discard about half of the range. If the range is still long after 64 rounds, it
    // is sorted.
    for _ in 0..<64 where range.count > 16 {
      let middle = values[range.lowerBound + range.count / 2]
      let (first, last) = (values[range.lowerBound], values[range.upperBound - 1])
      let pivot = max(min(first, middle), min(max(first, middle), last))
      // Smaller values come first, then equal values, because many values may be equal.
      var (less, next, greater) = (range.lowerBound, range.lowerBound, range.upperBound)
      while next < greater {
        if values[next] < pivot {
          values.swapAt(less, next)
          less += 1
          next += 1
        } else if values[next] > pivot {
          greater -= 1
          values.swapAt(next, greater)
        } else {
          next += 1
        }
      }
      if rank < less {
        range = range.lowerBound..<less
      } else if rank < greater {
        return pivot
      } else {
        range = greater..<range.upperBound
      }
    }
    return values[range].sorted()[rank - range.lowerBound]
  }
}
