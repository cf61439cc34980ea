import TestSeeds
import Testing

@testable import EventDeliverySQLite

struct GapReaderTests {
    /// A table whose pages hold some rows each.
    private struct Pages {
        var rows: [[Int64]]
        var damaged: Set<Int>

        /// A place belongs to the first page that ends behind it.
        func read(_ range: Range<Int64>, _ isForward: Bool, _ take: (Int64) -> Void) -> Int64 {
            var reached = isForward ? range.lowerBound : range.upperBound
            let indices = isForward ? Array(rows.indices) : rows.indices.reversed()
            for index in indices {
                if isForward, rows[index].last! < range.lowerBound { continue }
                if !isForward, rows[index].first! >= range.upperBound { continue }
                if damaged.contains(index) { return reached }
                for row in isForward ? rows[index] : rows[index].reversed() where row >= range.lowerBound || isForward {
                    if isForward, row >= range.upperBound { return range.upperBound }
                    guard range.contains(row) else { continue }
                    take(row)
                    reached = isForward ? row + 1 : row
                }
                if !isForward, rows[index].first! < range.lowerBound { return range.lowerBound }
            }
            return isForward ? range.upperBound : range.lowerBound
        }
    }

    private func read(_ pages: Pages) -> (rows: [Int64], probes: Int) {
        var rows: [Int64] = []
        let take: (Int64) -> Void = { rows.append($0) }
        var reader = GapReader { pages.read($0, $1, take) }
        reader.readAll(1..<EventStatements.endOfSequences)
        return (rows.sorted(), reader.probes)
    }

    @Test(arguments: TestSeed.all(1...60))
    func `every page that can be read is read once, whatever its neighbours`(seed: TestSeed) {
        var random = seed.generator
        var next: Int64 = Int64.random(in: 1...1 << 40, using: &random)
        var pages = Pages(rows: [], damaged: [])
        for index in 0..<Int.random(in: 1...30, using: &random) {
            let count = Int.random(in: 1...15, using: &random)
            pages.rows.append((0..<count).map { next + Int64($0) })
            next += Int64(count) + (Int.random(in: 0..<6, using: &random) == 0 ? 40 : 0)
            if Int.random(in: 0..<4, using: &random) == 0 { pages.damaged.insert(index) }
        }
        let good = pages.rows.indices.filter { !pages.damaged.contains($0) }.flatMap { pages.rows[$0] }
        let (rows, probes) = read(pages)
        #expect(rows == good && probes <= GapReader.maximumProbes)
    }

    @Test(arguments: [[3, 9, 16], [0, 18], [18], [0], [8, 9, 10], [2, 4, 9, 11, 12]])
    func `a wide gap of the numbers in a damaged page hides nothing`(damaged: [Int]) {
        func page(_ first: Int64, _ count: Int64) -> [Int64] { (0..<count).map { first + $0 } }
        var rows = (0..<9).map { page(10_000 + 20 * $0, 20) }
        rows.append(page(10_180, 10) + page(5_000_000, 10))
        rows += (0..<9).map { page(5_000_010 + 20 * $0, 20) }
        let good = rows.indices.filter { !damaged.contains($0) }.flatMap { rows[$0] }
        #expect(read(Pages(rows: rows, damaged: Set(damaged))).rows == good)
    }

    @Test func `a table without readable pages ends`() {
        let (rows, probes) = read(Pages(rows: [[1, 2], [1 << 50]], damaged: [0, 1]))
        #expect(rows.isEmpty && probes <= GapReader.maximumProbes)
    }
}
