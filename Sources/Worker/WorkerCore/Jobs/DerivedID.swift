import APNSModel
package import PushQueue

/// The `apns-id` of envelopes without one: each is computed from stream, entry and line, so that every delivery of the job
/// has the same.
package struct DerivedID: Sendable {
    /// What the ids of all jobs of a stream begin with.
    package struct Stream: Sendable {
        package let name: String
        fileprivate let state: State

        package init(_ name: String) {
            self.name = name
            var state = State()
            state.add(name)
            self.state = state
        }
    }

    fileprivate struct State: Sendable {
        var high: UInt64 = 0xcbf2_9ce4_8422_2325
        var low: UInt64 = 0x9ae1_6a3b_2f90_404f

        mutating func add(_ part: String) {
            for byte in part.utf8 {
                high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
                low = SeededGenerator.mix(low ^ UInt64(byte) &* 0xff51_afd7_ed55_8ccd)
            }
            // Keeps "a" and "bc" apart from "ab" and "c".
            high = SeededGenerator.mix(high ^ UInt64(part.utf8.count))
            low = SeededGenerator.mix(low ^ UInt64(part.utf8.count) << 32)
        }
    }

    private let state: State

    package init(_ job: JobID) { self.init(job.entry, in: Stream(job.stream)) }

    package init(_ entry: String, in stream: Stream) {
        var state = stream.state
        state.add(entry)
        self.state = state
    }

    /// - Parameter line: From 0.
    package func text(line: Int) -> String {
        let number = UInt64(line) &+ 1
        let first = SeededGenerator.mix(state.high ^ number &* 0x9e37_79b9_7f4a_7c15)
        let second = SeededGenerator.mix(state.low &+ number &* 0xc2b2_ae3d_27d4_eb4f)
        // Version 8 of RFC 9562, whose bits are up to who makes it.
        return NotificationID.lowercase(
            first & ~0xF000 | 0x8000, second & ~(3 << 62) | 2 << 62)
    }
}
