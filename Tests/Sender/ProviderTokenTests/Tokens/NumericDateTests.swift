import TestSeeds
import Testing

@testable import ProviderToken

@Suite struct NumericDateTests {
    @Test(
        arguments: [
            ("1795382457", 1_795_382_457), ("1795382457.31", 1_795_382_457), ("1795382457.0", 1_795_382_457),
            ("1795382457.999999999999999999999", 1_795_382_457), ("1.7e9", 1_700_000_000), ("1.7E+9", 1_700_000_000),
            ("17953824573.1e-1", 1_795_382_457), ("1795382457e0", 1_795_382_457), ("0.0000000017e18", 1_700_000_000),
            ("0", 0), ("-0", 0), ("-0.0", 0), ("0.9", 0), ("0e400", 0), ("0.0e-400", 0), ("1e-400", 0),
            ("1e-99999999999999999999", 0), ("100e-2", 1), ("10.05e1", 100),
        ] as [(String, Int64)])
    func `a number in any spelling is a time, and its fraction is cut off`(text: String, seconds: Int64) {
        #expect(NumericDate.floor(ofNumber: text.utf8) == seconds)
    }

    @Test(
        arguments: [
            ("-5", -5), ("-5.0", -5), ("-5.1", -6), ("-0.5", -1), ("-1e-400", -1), ("-50e-1", -5), ("-51e-1", -6),
        ] as [(String, Int64)])
    func `before 1970 a fraction is cut off towards the past too`(text: String, seconds: Int64) {
        #expect(NumericDate.floor(ofNumber: text.utf8) == seconds)
    }

    @Test(
        arguments: [
            ("9223372036854775807.9", .max), ("9.223372036854775807e18", .max), ("9223372036854775808", nil),
            ("9007199254740993.5", 9_007_199_254_740_993), ("-9223372036854775808.0", .min),
            ("-9223372036854775808.1", nil), ("-9223372036854775809", nil), ("1e19", nil), ("1e400", nil),
            ("1e99999999999999999999", nil), ("-1e400", nil),
        ] as [(String, Int64?)])
    func `all whole seconds of 64 bits are exact, and others are out of range`(text: String, seconds: Int64?) {
        #expect(NumericDate.floor(ofNumber: text.utf8) == seconds)
    }

    @Test(arguments: TestSeed.all(1...10)) func `whole numbers of any size are read exactly`(seed: TestSeed) {
        var generator = seed.generator
        for _ in 0..<100 {
            let number =
                Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...62, using: &generator)
            #expect(NumericDate.floor(ofNumber: "\(number)".utf8) == number)
            #expect(NumericDate.floor(ofNumber: "\(number).0e0".utf8) == number)
        }
    }
}
