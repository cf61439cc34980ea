import APNSModel
import TestSeeds
import Testing

@testable import APNSPayload

struct KnownSpellingTests {
    /// The distance by its definition: tries every way to remove the first characters.
    private func distance(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        guard let first = left.first else { return right.count }
        guard let other = right.first else { return left.count }
        var steps = min(
            distance(left.dropFirst(), right) + 1, distance(left, right.dropFirst()) + 1,
            distance(left.dropFirst(), right.dropFirst()) + (first == other ? 0 : 1))
        if left.count > 1, right.count > 1, left[left.startIndex + 1] == other, right[right.startIndex + 1] == first {
            steps = min(steps, distance(left.dropFirst(2), right.dropFirst(2)) + 1)
        }
        return steps
    }

    @Test(arguments: TestSeed.all(1...10))
    func `the distance is that of its definition, and nil beyond the limit`(seed: TestSeed) {
        var random = seed.generator
        let letters = Array("aberst".utf8)
        for _ in 0..<200 {
            let words = (0..<2).map { _ in
                (0..<Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
            }
            let expected = distance(words[0][...], words[1][...])
            for limit in 0...2 {
                let found = KnownSpelling.distance(words[0], words[1], atMost: limit)
                #expect(found == (expected <= limit ? expected : nil), "\(words) within \(limit)")
            }
        }
    }

    @Test(arguments: [
        ("contentAvailable", "contentavailable"), ("CONTENT_AVAILABLE", "contentavailable"), ("thread id", "threadid"),
        ("", ""), ("Größe-2", "größe2"),
    ])
    func `folding removes case, hyphens, underscores and spaces`(name: String, folded: String) {
        #expect(KnownSpelling.fold(name) == Array(folded.utf8))
    }

    @Test func `no two keys of one object are the same when folded`() {
        for container in [PayloadKey.Container.root, .aps, .alert, .sound, .titleText, .bodyText] {
            let spellings = KnownSpelling.all(in: container)
            #expect(spellings.count == PayloadKey.all(in: container).count)
            #expect(Set(spellings.map(\.folded)).count == spellings.count)
        }
    }
}
