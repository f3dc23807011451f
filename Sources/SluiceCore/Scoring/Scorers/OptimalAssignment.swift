import SluiceSupport

/// The one-to-one matching of rows and columns that has the largest total weight.
///
/// To find it is the assignment problem of Kuhn (1955) and Munkres (1957), which is solved here by
/// shortest augmenting paths with dual prices (Jonker & Volgenant 1987). The time is O(k² · l),
/// where k is the smaller and l the larger of the numbers of rows and columns.
package enum OptimalAssignment {
  /// Finds a matching whose total weight is as large as possible.
  ///
  /// A forbidden pair has no weight, or a weight that is not finite. A pair with a negative weight
  /// is worse than no pair. Weights are rounded to multiples of 1/2⁴⁰ of the largest weight, so
  /// that totals that differ only by rounding are equal. If several matchings are best, the result
  /// is the one that gives the first row the lowest column. If several of these remain, the second
  /// row decides, and so on.
  ///
  /// - Parameter weights: The weights, by row and column. If a row is short, its missing columns
  ///   are forbidden.
  /// - Returns: For each row, its column; nil for a row that is not matched.
  package static func maximum(_ weights: [[Double?]]) -> [Int?] {
    let graph = Graph(weights)
    let solution =
      graph.rows <= graph.columns ? solve(graph) : solve(graph.transposed).transposed
    return first(solution, in: graph)
  }

  /// The weights as integers, so that sums are exact and equal totals compare equal.
  private struct Graph {
    var rows: Int
    var columns: Int
    /// The weights, row by row; nil for a forbidden pair.
    private var weights: [Int?]

    init(_ weights: [[Double?]]) {
      rows = weights.count
      columns = weights.map(\.count).max() ?? 0
      let allowed = weights.lazy.joined().compactMap { $0 }.filter { $0.isFinite && $0 >= 0 }
      let largest = allowed.max() ?? 0
      let shift = largest > 0 ? 40 - Int(largest.exponent) : 0
      self.weights = []
      self.weights.reserveCapacity(rows * columns)
      for row in weights {
        for column in 0..<columns {
          guard column < row.count, let weight = row[column], weight.isFinite, weight >= 0 else {
            self.weights.append(nil)
            continue
          }
          let scaled = Double(sign: .plus, exponent: shift, significand: weight)
          self.weights.append(Int(scaled.rounded()))
        }
      }
    }

    subscript(row: Int, column: Int) -> Int? { weights[row * columns + column] }

    var transposed: Graph {
      var result = self
      (result.rows, result.columns) = (columns, rows)
      for row in 0..<rows {
        for column in 0..<columns { result.weights[column * rows + row] = self[row, column] }
      }
      return result
    }
  }

  /// A matching, with prices that prove that it is optimal.
  ///
  /// No pair weighs more than the sum of the prices of its row and column. A matched pair weighs
  /// exactly that sum. Rows and columns that are not matched have the price 0.
  private struct Solution {
    var columnOfRow: [Int?]
    var rowPrices: [Int]
    var columnPrices: [Int]

    var transposed: Solution {
      var rowOfColumn = [Int?](repeating: nil, count: columnPrices.count)
      for (row, column) in columnOfRow.enumerated() {
        if let column { rowOfColumn[column] = row }
      }
      return Solution(
        columnOfRow: rowOfColumn,
        rowPrices: columnPrices,
        columnPrices: rowPrices
      )
    }
  }

  // MARK: Any optimum

  /// Matches one row after the other, each along the path that loses the least weight.
  private static func solve(_ graph: Graph) -> Solution {
    // After the real columns, each row has one more column with weight 0, which means "not
    // matched".
    let width = graph.columns + graph.rows
    var rowPrices = [Int](repeating: 0, count: graph.rows)
    var columnPrices = [Int](repeating: 0, count: width)
    var columnOfRow = [Int?](repeating: nil, count: graph.rows)
    var rowOfColumn = [Int?](repeating: nil, count: width)

    func weight(_ row: Int, _ column: Int) -> Int? {
      if column < graph.columns { return graph[row, column] }
      return column - graph.columns == row ? 0 : nil
    }

    for start in 0..<graph.rows {
      rowPrices[start] = (0..<width).reduce(0) { price, column in
        max(price, (weight(start, column) ?? 0) - columnPrices[column])
      }
      // For each column, the least loss of a path to it, and the previous row on that path
      // (Dijkstra).
      var loss = [Int](repeating: .max, count: width)
      var reachedFrom = [Int](repeating: start, count: width)
      var isSettled = [Bool](repeating: false, count: width)
      var settled: [Int] = []
      var row = start
      var lossSoFar = 0
      var end: Int?
      while end == nil {
        var nearest: Int?
        var nearestLoss = Int.max
        for column in 0..<width where !isSettled[column] {
          if let weight = weight(row, column) {
            let candidate = lossSoFar + rowPrices[row] + columnPrices[column] - weight
            if candidate < loss[column] {
              loss[column] = candidate
              reachedFrom[column] = row
            }
          }
          if loss[column] < nearestLoss { (nearest, nearestLoss) = (column, loss[column]) }
        }
        // There is always a nearest column, because each row has a column for "not matched".
        guard let nearest else { break }
        lossSoFar = nearestLoss
        guard let owner = rowOfColumn[nearest] else {
          end = nearest
          break
        }
        isSettled[nearest] = true
        settled.append(nearest)
        row = owner
      }

      rowPrices[start] -= lossSoFar
      for column in settled {
        let change = lossSoFar - loss[column]
        columnPrices[column] += change
        if let owner = rowOfColumn[column] { rowPrices[owner] -= change }
      }
      var column = end
      while let taken = column {
        let row = reachedFrom[taken]
        column = columnOfRow[row]
        columnOfRow[row] = taken
        rowOfColumn[taken] = row
      }
    }
    return Solution(
      columnOfRow: columnOfRow.map { $0.flatMap { $0 < graph.columns ? $0 : nil } },
      rowPrices: rowPrices,
      columnPrices: Array(columnPrices.prefix(graph.columns))
    )
  }

  // MARK: The first optimum

  /// Starts from any optimum, and changes it row by row into the first optimum.
  ///
  /// A matching is optimal if each pair weighs exactly as much as its prices, and if each row or
  /// column with a price above 0 is matched. If each unmatched row and column is paired with a
  /// stand-in, all optima are complete matchings. Two of them differ by alternating cycles.
  private static func first(_ solution: Solution, in graph: Graph) -> [Int?] {
    let (rows, columns) = (graph.rows, graph.columns)
    var columnsOfRow = [[Int]](repeating: [], count: rows)
    var rowsOfColumn = [[Int]](repeating: [], count: columns)
    for row in 0..<rows {
      for column in 0..<columns {
        guard let weight = graph[row, column],
          weight == solution.rowPrices[row] + solution.columnPrices[column]
        else { continue }
        columnsOfRow[row].append(column)
        rowsOfColumn[column].append(row)
      }
    }
    let standInRows = rows..<(rows + columns)
    for row in 0..<rows where solution.rowPrices[row] == 0 {
      columnsOfRow[row].append(columns + row)
    }
    for column in 0..<columns where solution.columnPrices[column] == 0 {
      rowsOfColumn[column].append(rows + column)
    }

    var columnOf = [Int](repeating: 0, count: rows + columns)
    var rowOf = columnOf
    func match(_ row: Int, _ column: Int) {
      columnOf[row] = column
      rowOf[column] = row
    }
    for column in 0..<columns { match(rows + column, column) }
    for (row, column) in solution.columnOfRow.enumerated() {
      match(row, column ?? columns + row)
      if let column { match(rows + column, columns + row) }
    }

    for row in 0..<rows {
      let own = columnOf[row]
      // The earlier rows must keep their columns.
      guard let lowest = columnsOfRow[row].first(where: { rowOf[$0] >= row }), lowest != own else {
        continue
      }
      // Finds the columns that can become free: the row of such a column moves to another column,
      // the row of that column moves on, and so on up to `own`.
      var movesTo = [Int?](repeating: nil, count: rows + columns)
      var queue = [own]
      var hasSeenStandIns = false
      func visit(_ candidate: Int, _ column: Int) {
        let given = columnOf[candidate]
        guard candidate > row, given != own, movesTo[given] == nil else { return }
        movesTo[given] = column
        queue.append(given)
      }
      var next = 0
      while next < queue.count {
        let column = queue[next]
        next += 1
        if column < columns {
          for candidate in rowsOfColumn[column] { visit(candidate, column) }
          continue
        }
        let standsFor = column - columns
        if solution.rowPrices[standsFor] == 0 { visit(standsFor, column) }
        if !hasSeenStandIns { for candidate in standInRows { visit(candidate, column) } }
        hasSeenStandIns = true
      }
      guard let best = columnsOfRow[row].first(where: { $0 == own || movesTo[$0] != nil }),
        best != own
      else { continue }
      var (taker, column) = (row, best)
      while let following = movesTo[column] {
        let displaced = rowOf[column]
        match(taker, column)
        (taker, column) = (displaced, following)
      }
      match(taker, own)
    }
    return (0..<rows).map { columnOf[$0] < columns ? columnOf[$0] : nil }
  }
}
