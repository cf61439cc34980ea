internal import CPostgres
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Owns a connection of libpq.
struct PostgresHandle: ~Copyable {
    let raw: OpaquePointer

    /// Begins to connect. It blocks while the system resolves a host name, and for nothing else.
    ///
    /// Nil when there is no memory.
    init?(connecting parameters: [(keyword: String, value: String)]) {
        let words = parameters.map { strdup($0.keyword) } + [nil]
        let values = parameters.map { strdup($0.value) } + [nil]
        defer { for text in words + values { free(text) } }
        let raw = words.map { UnsafePointer($0) }.withUnsafeBufferPointer { words in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                PQconnectStartParams(words.baseAddress, values.baseAddress, 0)
            }
        }
        guard let raw else { return nil }
        CPostgres_ignore_notices(raw)
        self.raw = raw
    }

    deinit { PQfinish(raw) }

    var message: String { String(cString: PQerrorMessage(raw)) }
    var isGood: Bool { PQstatus(raw) == CONNECTION_OK }
    var isBad: Bool { PQstatus(raw) == CONNECTION_BAD }

    /// Calls `body` with the texts as C strings, of which nil is NULL. None may contain a zero byte.
    static func withStrings<Result>(
        _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) + 1 })
        var starts: [Int?] = []
        for text in texts {
            starts.append(text == nil ? nil : bytes.count)
            guard let text else { continue }
            bytes.append(contentsOf: text.utf8)
            bytes.append(0)
        }
        return bytes.withUnsafeBytes { bytes in
            starts.map { start in
                start.map { bytes.baseAddress!.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            .withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}
