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

    private static func number(_ variable: String) -> UInt64? {
        guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
        guard let number = UInt64(text) else { preconditionFailure("\(variable)=\(text) is not a number from 0 on") }
        return number
    }
}
