import Testing

@testable import GatewayCore

struct OrdinalIndexTests {
    private static let count = 100_000

    private static func index() -> OrdinalIndex<Int> {
        var index = OrdinalIndex<Int>()
        for element in 0..<count { index.append(element, UInt64(element)) }
        return index
    }

    @Test(arguments: [nil, 0, 49_999, 99_949] as [UInt64?])
    func `a page of 100,000 elements looks at no others`(start: UInt64?) {
        var looks = 0
        let page = Self.index().elements(after: start, limit: 50) { _, _ in
            looks += 1
            return true
        }
        let first = start.map { Int($0) + 1 } ?? 0
        #expect(page == Array(first..<first + 50))
        #expect(looks == 50)
    }

    @Test func `what was removed is looked at until it is half of all`() {
        var index = Self.index()
        let removed = 60_000
        for last in 0..<removed { index.noteRemoval { element, _ in element > last } }
        var looks = 0
        let page = index.elements(after: nil, limit: 50) { element, _ in
            looks += 1
            return element >= removed
        }
        #expect(page == Array(removed..<removed + 50))
        #expect(looks < 10_100)
    }
}
