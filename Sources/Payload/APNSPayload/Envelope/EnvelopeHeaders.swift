import PayloadJSON

/// The headers of an envelope as strings, with their ranges and problems, found in one pass over its keys.
struct EnvelopeHeaders {
    private var values: [String?] = Array(repeating: nil, count: EnvelopeKey.allCases.count)
    private var isSeen: [Bool] = Array(repeating: false, count: EnvelopeKey.allCases.count)
    /// The range in the source of each header's value, by the name of the header. For a key that is not a header, and for a
    /// repeated `payload`, the range of the key.
    private(set) var ranges: [String: Range<Int>] = [:]
    private(set) var problems: [EnvelopeProblem] = []
    /// Whether the value of `apns-id` is that of `apns-request-id`.
    private(set) var usesRequestID = false
    /// The headers with null, each of which counts as absent unless the key is repeated.
    private(set) var nullHeaders: Set<EnvelopeKey> = []
    /// The value of the key `payload-base64`.
    private(set) var exactPayload: JSONIndex?

    init(_ document: borrowing JSONDocument) {
        var payloadCount = 0
        var payloadKey: Range<Int>?
        var nested: [(name: String, range: Range<Int>, headers: [EnvelopeKey])] = []
        for member in document.members(of: .root) {
            if document.isString(member.key, "payload") {
                payloadCount += 1
                if payloadCount > 1 { ranges["payload"] = document.range(of: member.key) }
                payloadKey = document.range(of: member.key)
            } else if let key = EnvelopeKey(member.key, of: document) {
                read(key, member.value, of: document)
            } else if document.isString(member.key, "payload-base64") {
                exactPayload = member.value
            } else if !EnvelopeKey.isOther(member.key, of: document), let name = document.string(of: member.key) {
                if check(name, at: document.range(of: member.key)) { continue }
                let headers = EnvelopeHeaders.headers(in: member.value, of: document)
                guard !headers.isEmpty else { continue }
                let range = document.range(of: member.key)
                guard let place = nested.firstIndex(where: { $0.name == name }) else {
                    nested.append((name, range, headers))
                    continue
                }
                // A repeated key has one problem, at its last place.
                let others = headers.filter { header in !nested[place].headers.contains(header) }
                nested[place] = (name, range, nested[place].headers + others)
            }
        }
        for (name, range, headers) in nested {
            let names = headers.filter { values[$0.rawValue] == nil }.map(\.name)
            guard !names.isEmpty else { continue }
            problems.append(EnvelopeProblem(key: name, .nestedHeaders(names)))
            ranges[name] = range
        }
        if payloadCount > 1 {
            problems.append(EnvelopeProblem(key: "payload", .repeatedKey))
            ranges["payload"] = payloadKey
        }
        useRequestID()
    }

    /// The value of a header; nil if it is absent or null.
    subscript(key: EnvelopeKey) -> String? { values[key.rawValue] }

    private mutating func read(_ key: EnvelopeKey, _ value: JSONIndex, of document: borrowing JSONDocument) {
        let name = key.name
        if isSeen[key.rawValue] { problems.append(EnvelopeProblem(key: name, .repeatedKey)) }
        isSeen[key.rawValue] = true
        let kind = document.kind(of: value)
        guard kind != .null else {
            values[key.rawValue] = nil
            nullHeaders.insert(key)
            return
        }
        let isRight = kind == .string || ((kind == .integer || kind == .fraction) && key.takesNumbers)
        if !isRight { problems.append(EnvelopeProblem(key: name, .wrongKind(kind.inWords))) }
        values[key.rawValue] = document.string(of: value) ?? document.source(of: value)
        ranges[name] = document.range(of: value)
    }

    /// - Returns: Whether the key has a problem.
    private mutating func check(_ name: String, at range: Range<Int>) -> Bool {
        let meant = EnvelopeKey.meant(by: name)
        guard meant != nil || EnvelopeKey.looksLikeHeader(name) else { return false }
        problems.append(EnvelopeProblem(key: name, .unknownKey(meant: meant?.name)))
        ranges[name] = range
        return true
    }

    /// The headers of a request in an object; the id of an answer is not one.
    private static func headers(in value: JSONIndex, of document: borrowing JSONDocument) -> [EnvelopeKey] {
        var headers: [EnvelopeKey] = []
        for member in document.members(of: value) {
            guard let key = EnvelopeKey(member.key, of: document), document.kind(of: member.value) != .null else {
                continue
            }
            switch key {
            case .topic, .pushType, .priority, .expiration, .collapseID: headers.append(key)
            case .token, .apnsID, .channelID, .requestID: continue
            }
        }
        return headers
    }

    /// Uses the request id as the `apns-id` of a broadcast. A notification for a device has no request id.
    private mutating func useRequestID() {
        guard let text = self[.requestID] else { return }
        let (id, request) = (EnvelopeKey.apnsID.name, EnvelopeKey.requestID.name)
        guard self[.channelID] != nil, self[.token] == nil else {
            problems.append(EnvelopeProblem(key: request, .unknownKey(meant: id)))
            return
        }
        guard self[.apnsID] == nil else { return }
        values[EnvelopeKey.apnsID.rawValue] = text
        usesRequestID = true
        ranges[id] = ranges[request]
    }
}
