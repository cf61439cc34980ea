import DER

/// An entry of the topic list in a push certificate (1.2.840.113635.100.6.3.6; docs/reference/apns.md section 5).
package struct CertificateTopic: Hashable, Sendable {
    package var topic: String
    /// `app`, `voip` and `complication` are known; any other is kept as it is.
    package var kind: String

    package init(topic: String, kind: String) {
        self.topic = topic
        self.kind = kind
    }

    /// Reads a SEQUENCE that alternates a UTF8String and a SEQUENCE of exactly one UTF8String.
    ///
    /// - Returns: Nil for anything else: other tags, lengths that are not the shortest form or do not add up, bytes
    ///   after the end, a string that is empty or not UTF-8, a topic without a kind.
    static func parse(der: [UInt8]) -> [CertificateTopic]? {
        do throws(DERReader.Failure) {
            var outer = DERReader(der[...])
            var list = DERReader(try outer.next(DERReader.Tag.sequence))
            try outer.end()
            var topics: [CertificateTopic] = []
            while !list.isAtEnd {
                let topic = try string(from: &list)
                var kinds = DERReader(try list.next(DERReader.Tag.sequence))
                topics.append(CertificateTopic(topic: topic, kind: try string(from: &kinds)))
                try kinds.end()
            }
            return topics
        } catch {
            return nil
        }
    }

    private static func string(from reader: inout DERReader) throws(DERReader.Failure) -> String {
        let content = try reader.next(DERReader.Tag.utf8String)
        guard !content.isEmpty, let text = String(validating: content, as: UTF8.self) else {
            throw .malformed(at: content.startIndex)
        }
        return text
    }

    static func encode(_ topics: [CertificateTopic]) -> [UInt8] {
        let entries = topics.flatMap { entry in
            let kind = DERWriter.element(DERReader.Tag.utf8String, Array(entry.kind.utf8))
            return DERWriter.element(DERReader.Tag.utf8String, Array(entry.topic.utf8))
                + DERWriter.element(DERReader.Tag.sequence, kind)
        }
        return DERWriter.element(DERReader.Tag.sequence, entries)
    }
}
