/// FNV-1a with 64 bits: a hash that is the same in every process and version. Not for secrets.
///
/// Source: draft-eastlake-fnv.
struct StableHash {
    private(set) var value: UInt64

    init(seed: UInt64 = 0) { value = 0xcbf2_9ce4_8422_2325 ^ seed }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            // The operator &* of this place is newer than the systems of the app libraries.
            value = (value ^ UInt64(byte)).multipliedReportingOverflow(by: 0x0000_0100_0000_01b3).partialValue
        }
    }

    static func of(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
        var hash = StableHash(seed: seed)
        hash.add(bytes)
        return hash.value
    }

    /// 16 digits.
    static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
