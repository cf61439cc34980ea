import Foundation

/// A seed that a random test runs with. The test output shows it as `APNS_SEED=7`.
///
///     @Test(arguments: TestSeed.all(1...20))
///     func `every submission has one outcome`(seed: TestSeed) {
///         var generator = seed.generator
///     }
///
/// Each test has a fixed list of seeds. Two environment variables replace it:
/// `APNS_SEED=7` runs each random test with seed 7 alone, which repeats a failure, and
/// `APNS_SEED=1001 APNS_SEEDS=1000` with the seeds 1001 to 2000.
public struct TestSeed: Hashable, Sendable, Codable, CustomStringConvertible {
    public let value: UInt64

    public init(_ value: UInt64) { self.value = value }

    public var description: String { "APNS_SEED=\(value)" }

    /// A new generator of random numbers, which starts from this seed.
    public var generator: TestGenerator { TestGenerator(seed: value) }

    /// The seeds that the environment names, otherwise `defaults`.
    public static func all(_ defaults: some Sequence<UInt64>) -> [TestSeed] {
        let (first, count) = (number("APNS_SEED"), number("APNS_SEEDS"))
        guard first != nil || count != nil else { return defaults.map { TestSeed($0) } }
        return (0..<(count ?? 1)).map { TestSeed((first ?? 1) &+ $0) }
    }

    /// Whether `APNS_EACH=1` asks for each of many similar cases, such as a kill at each call that writes.
    public static var isEach: Bool { ProcessInfo.processInfo.environment["APNS_EACH"] == "1" }

    /// The numbers that a test with many similar cases takes: all where `isEach`, otherwise one in `step`, from a place that
    /// `APNS_SEED` moves.
    public static func each(_ numbers: PartialRangeFrom<Int>, oneIn step: Int) -> StrideTo<Int> {
        guard !isEach else { return stride(from: numbers.lowerBound, to: .max, by: 1) }
        return stride(from: numbers.lowerBound + Int((number("APNS_SEED") ?? 0) % UInt64(step)), to: .max, by: step)
    }

    private static func number(_ variable: String) -> UInt64? {
        guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
        guard let number = UInt64(text) else { preconditionFailure("\(variable)=\(text) is not a number from 0 on") }
        return number
    }
}
