import APNSModel
import Foundation
import TestSeeds
import Testing

struct SeededGeneratorTests {
    @Test func `the numbers are those of SplitMix64`() {
        var generator = SeededGenerator(seed: 1_234_567)
        // From the reference implementation, https://prng.di.unimi.it/splitmix64.c.
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(expected.allSatisfy { generator.next() == $0 })
    }

    @Test(arguments: TestSeed.all(1...20))
    func `mixing can be undone`(seed: TestSeed) {
        var generator = seed.generator
        for _ in 0..<100 {
            let word = generator.next()
            #expect(SeededGenerator.unmix(SeededGenerator.mix(word)) == word)
            #expect(SeededGenerator.mix(SeededGenerator.unmix(word)) == word)
        }
    }

    @Test func `a decoded generator goes on where it was`() throws {
        var generator = SeededGenerator(seed: 5)
        _ = generator.next()
        var copy = try JSONDecoder().decode(SeededGenerator.self, from: JSONEncoder().encode(generator))
        #expect(copy == generator)
        #expect(copy.next() == generator.next())
    }
}
