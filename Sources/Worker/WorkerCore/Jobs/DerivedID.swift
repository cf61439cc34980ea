import APNSModel
package import PushQueue

/// The `apns-id` of envelopes without one: each is computed from stream, entry and line, so that every delivery of the job
/// has the same.
package struct DerivedID: Sendable {
    private let high: UInt64
    private let low: UInt64

    package init(_ job: JobID) {
        var high: UInt64 = 0xcbf2_9ce4_8422_2325
        var low: UInt64 = 0x9ae1_6a3b_2f90_404f
        for part in [job.stream.utf8, job.entry.utf8] {
            for byte in part {
                high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
                low = SeededGenerator.mix(low ^ UInt64(byte) &* 0xff51_afd7_ed55_8ccd)
            }
            // Keeps "a" and "bc" apart from "ab" and "c".
            high = SeededGenerator.mix(high ^ UInt64(part.count))
            low = SeededGenerator.mix(low ^ UInt64(part.count) << 32)
        }
        self.high = high
        self.low = low
    }

    /// - Parameter line: From 0.
    package func text(line: Int) -> String {
        let number = UInt64(line) &+ 1
        let first = SeededGenerator.mix(high ^ number &* 0x9e37_79b9_7f4a_7c15)
        let second = SeededGenerator.mix(low &+ number &* 0xc2b2_ae3d_27d4_eb4f)
        // Version 8 of RFC 9562, whose bits are up to who makes it.
        return NotificationID.lowercase(
            first & ~0xF000 | 0x8000, second & ~(3 << 62) | 2 << 62)
    }
}
