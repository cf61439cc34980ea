import APNSModel

/// Spreads people over the decisions of a point. It comes before everything else.
package struct Experiment: Hashable, Sendable {
    package struct Share: Hashable, Sendable {
        /// 0 to 1.
        package var share: Double
        /// The name of a decision, or `control`: no content.
        package var decision: String

        package init(_ share: Double, _ decision: String) {
            self.share = share
            self.decision = decision
        }
    }

    package static let control = "control"

    package var id: String
    /// Their sum is at most 1. People outside of it get the control.
    package var shares: [Share]
    /// Who takes part; the others get the point's decisions by priority.
    package var conditions: [Condition] = []

    package init(_ id: String, _ shares: [Share]) {
        self.id = id
        self.shares = shares
    }

    /// The decision of a person: the same for each request with the same seed.
    ///
    /// - Parameter person: The id that people are spread by.
    package func decision(of person: String, seed: UInt64) -> String {
        let number = Experiment.number(experiment: id, person: person, seed: seed)
        var end = 0.0
        for share in shares {
            end += share.share
            if number < end { return share.decision }
        }
        return Experiment.control
    }

    /// From 0 up to, but not including, 1: the 64-bit FNV-1a hash of both ids and the seed, mixed.
    static func number(experiment: String, person: String, seed: UInt64) -> Double {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        add(experiment)
        // A byte that is not in UTF-8 keeps "a" + "bc" apart from "ab" + "c".
        hash = (hash ^ 0xff) &* 0x100_0000_01b3
        add(person)
        return Double(SeededGenerator.mix(hash ^ SeededGenerator.mix(seed)) >> 11) * 0x1p-53
    }
}
