/// One row of the topic list in a push certificate (1.2.840.113635.100.6.3.6; docs/reference/apns.md section 5).
package struct CertificateTopic: Hashable, Sendable {
    package var topic: String
    /// `app`, `voip` and `complication` are known; others are kept as they stand.
    package var kind: String

    package init(topic: String, kind: String) {
        self.topic = topic
        self.kind = kind
    }

    /// Reads a SEQUENCE that alternates a UTF8String and a SEQUENCE of exactly one UTF8String.
    ///
    /// - Returns: Nil for anything else: other tags, lengths that are not the shortest form or do not add up, bytes
    ///   after the end, text that is not UTF-8, a topic without a kind.
    static func parse(der: [UInt8]) -> [CertificateTopic]? {
        var outer = DERReader(der[...])
        guard var list = outer.take(.sequence), outer.isAtEnd else { return nil }
        var topics: [CertificateTopic] = []
        while !list.isAtEnd {
            guard let topic = list.takeText(), var kinds = list.take(.sequence), let kind = kinds.takeText(),
                kinds.isAtEnd
            else { return nil }
            topics.append(CertificateTopic(topic: topic, kind: kind))
        }
        return topics
    }

    static func encode(_ topics: [CertificateTopic]) -> [UInt8] {
        let rows = topics.flatMap { row in
            DERReader.encode(.utf8String, Array(row.topic.utf8))
                + DERReader.encode(.sequence, DERReader.encode(.utf8String, Array(row.kind.utf8)))
        }
        return DERReader.encode(.sequence, rows)
    }
}
