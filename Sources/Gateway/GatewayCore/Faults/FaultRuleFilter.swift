import APNSModel

/// Skips the fault rules that a request cannot match, by a digest of each string that a rule asks for.
///
/// With 20 rules, comparing the strings cost a gateway 6 % of its CPU.
struct FaultRuleFilter: Sendable {
    private let rows: [Row]

    private struct Row: Sendable {
        let rule: Int
        let wanted: Digests
    }

    /// Of device token, topic and push type; 0 for none.
    fileprivate struct Digests: Sendable {
        let token, topic, pushType: UInt64

        init(
            _ token: (some BidirectionalCollection<UInt8>)?, _ topic: (some BidirectionalCollection<UInt8>)?,
            _ pushType: (some BidirectionalCollection<UInt8>)?
        ) {
            self.token = FaultRuleFilter.digest(token)
            self.topic = FaultRuleFilter.digest(topic)
            self.pushType = FaultRuleFilter.digest(pushType)
        }

        /// Whether a string that is asked for here differs from the one there.
        @inline(__always)
        func excludes(_ other: Digests) -> Bool {
            token != 0 && token != other.token || topic != 0 && topic != other.topic
                || pushType != 0 && pushType != other.pushType
        }
    }

    /// - Parameter rules: Rules for connections match no request.
    init(_ rules: [ActiveFault]) {
        rows = rules.indices.compactMap { index in
            let rule = rules[index].rule
            guard !rule.effect.isForConnections else { return nil }
            let wanted = Digests(rule.match.token?.hex.utf8, rule.match.topic?.utf8, rule.match.pushType?.utf8)
            return Row(rule: index, wanted: wanted)
        }
    }

    /// The digests of a request.
    struct RequestDigest {
        fileprivate let digests: Digests

        /// - Parameter token: The device token as in the path.
        init(token: Substring?, topic: String?, pushType: String?) {
            digests = Digests(token?.utf8, topic?.utf8, pushType?.utf8)
        }
    }

    /// The index of the first rule from `start` on that the request may match. The rule itself has to be compared.
    func next(from start: Int, _ digest: RequestDigest) -> Int? {
        for row in rows where row.rule >= start && !row.wanted.excludes(digest.digests) { return row.rule }
        return nil
    }

    /// The same for strings that differ only in upper and lower case; 0 only for nil.
    private static func digest(_ text: (some BidirectionalCollection<UInt8>)?) -> UInt64 {
        guard let text else { return 0 }
        return text.withContiguousStorageIfAvailable { fold($0) } ?? fold(text)
    }

    @inline(__always)
    private static func fold(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        var last: UInt64 = 0
        for byte in bytes.suffix(8) { last = last << 8 | UInt64(byte | 0x20) }
        return (last ^ UInt64(bytes.count) << 56) | 1
    }
}
