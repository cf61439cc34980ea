import APNSModel
import ProviderToken

/// One journal entry as the journal keeps it: its strings and its payload in one array, whose memory the next entry in the
/// same slot reuses.
///
/// A full journal overwrites an entry with every request. Freeing a dozen strings each time took a tenth of the gateway's
/// CPU, because their memory was never in the cache.
package struct JournalRecord: Sendable {
    /// The strings, in the order in which they are stored.
    enum Text: Int, CaseIterable, Codable {
        case token, topic, pushType, priority, expiration, collapseID, keyID, teamID, apnsID, channelID
    }

    private(set) var received: Int64 = 0
    /// When it was added, by the machine's clock. Milliseconds since 1970; 0 for one from a store.
    var keptAt: Int64 = 0
    private(set) var environment = APNSEnvironment.sandbox
    private(set) var kind = RequestKind.notification
    private(set) var outcome = Verdict.Outcome.unprocessed
    private(set) var rule = ""
    private(set) var why = ""
    private(set) var omittedBytes = 0
    private(set) var isVerified = false
    private(set) var isFromControl = false
    private(set) var isJudged = false
    private(set) var showsUniqueID = false
    private(set) var fault: FaultNote?
    /// The first half of the `apns-unique-id`; the second is computed from the entry's number.
    private(set) var random: UInt64 = 0
    /// The first line after the verdict. Most entries have only this one, so they need no array.
    private var nextLife: LifeEntry?
    private var laterLife: [LifeEntry] = []
    /// The memory of the sentences in `laterLife`.
    private var laterTextBytes = 0
    /// An array of `laterLife` that is not larger is used again by the next entry in the slot.
    private static let reusedLife = 8

    /// How many lines are kept beyond the first: a broadcast has one for each of its devices.
    static let maximumLife = 1000

    /// The strings one after the other, followed by the payload.
    private var bytes: [UInt8] = []
    /// Where each string ends. The headers of a request have at most 8,000 bytes, so 16 bits are enough.
    private var ends = SIMD16<UInt16>()
    private var present: UInt16 = 0

    /// A string; nil if the request had none.
    subscript(text: Text) -> String? {
        place(of: text).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// Where a string is in `bytes`; nil if the request had none.
    private func place(of text: Text) -> Range<Int>? {
        guard present & 1 << UInt16(text.rawValue) != 0 else { return nil }
        let start = text.rawValue == 0 ? 0 : Int(ends[text.rawValue - 1])
        return start..<Int(ends[text.rawValue])
    }

    /// Whether the request had a string, and it is this one.
    func has(_ text: Text, _ value: String) -> Bool { isEqual(text, value) { $0 == $1 } }

    /// The same with ASCII letters in upper or lower case.
    func hasInAnyCase(_ text: Text, _ value: String) -> Bool {
        isEqual(text, value) { $0.asciiLowercased == $1.asciiLowercased }
    }

    private func isEqual(_ text: Text, _ value: String, _ areEqual: (UInt8, UInt8) -> Bool) -> Bool {
        guard let place = place(of: text) else { return false }
        return bytes[place].elementsEqual(value.utf8, by: areEqual)
    }

    /// Whether a string or the payload meets a condition.
    func anyText(where isMeant: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            for text in Text.allCases {
                let end = Int(ends[text.rawValue])
                if end > start, isMeant(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) { return true }
                start = end
            }
            return isMeant(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
    }

    private var textBytes: Int { Int(ends[Text.allCases.count - 1]) }

    package var payload: [UInt8] { Array(bytes[textBytes...]) }

    /// An estimate of how long it takes to make an entry of it and to compare that with a match, in comparisons of two keys.
    ///
    /// - Parameter payloadValues: How many values of the payload are compared; nil where it is not read.
    func work(_ payloadValues: Int?) -> Int {
        let lines = nextLife == nil ? 0 : 1 + laterLife.count
        let withoutPayload = 256 + 16 * lines
        guard let payloadValues, omittedBytes == 0 else { return withoutPayload }
        let payloadBytes = bytes.count - textBytes
        // Each value is looked for among the members of an object; the shortest member, such as `"":1,`, has 5 bytes.
        return withoutPayload + payloadBytes + payloadValues * (8 + payloadBytes / 5)
    }

    /// Its memory, which it keeps for the next entry in its slot; 0 for one that was never written.
    var heldBytes: Int {
        bytes.capacity == 0
            ? 0
            : bytes.capacity + MemoryLayout<JournalRecord>.stride + laterLife.capacity * MemoryLayout<LifeEntry>.stride
                + laterTextBytes
    }

    /// The id in the answer and in the journal.
    var apnsID: String { self[.apnsID] ?? "" }

    var reason: Reason? {
        if case .refused(let reason, _) = outcome { reason } else { nil }
    }

    /// Writes another request over this one.
    mutating func write(
        _ request: borrowing Inspection, _ verdict: Verdict, fault: FaultNote?, random: UInt64,
        in environment: APNSEnvironment
    ) {
        received = request.now
        self.environment = environment
        kind = request.kind
        outcome = verdict.outcome
        rule = verdict.rule
        why = verdict.why
        omittedBytes = request.omittedBytes
        isFromControl = request.isFromControl
        isVerified =
            request.token.map { $0.keyIndex != nil }
            ?? (request.readToken == nil && request.isProven && !request.isFromControl)
        isJudged = request.isProven && verdict.outcome != .unprocessed
        showsUniqueID = verdict.shownID != nil
        self.fault = fault
        self.random = random
        nextLife = nil
        if !laterLife.isEmpty {
            laterLife.removeAll(keepingCapacity: laterLife.capacity <= JournalRecord.reusedLife)
            laterTextBytes = 0
        }
        bytes.removeAll(keepingCapacity: true)
        present = 0
        add(.token, request.deviceToken?.hex ?? request.pathToken.flatMap { $0.isEmpty ? nil : String($0.prefix(256)) })
        add(.topic, request.topic?.text ?? request.channel?.route?.bundleID ?? request.head.topic)
        add(.pushType, request.head.pushType)
        add(.priority, request.head.priority)
        add(.expiration, request.head.expiration)
        add(.collapseID, request.head.collapseID)
        add(.keyID, request.token?.keyID ?? request.readToken?.keyID)
        add(.teamID, request.token?.teamID ?? request.readToken?.teamID)
        add(.apnsID, verdict.apnsID)
        add(.channelID, request.channelText)
        bytes.append(contentsOf: request.body)
    }

    /// What happened after the verdict, oldest first.
    var lifeAfterVerdict: [LifeEntry] { nextLife.map { [$0] + laterLife } ?? [] }

    /// - Returns: The line, and its index after the verdict; nil if there are too many lines.
    @discardableResult
    mutating func add(_ life: LifeEntry) -> (number: Int, life: LifeEntry)? {
        guard nextLife != nil else {
            nextLife = life
            return (0, life)
        }
        guard laterLife.count <= JournalRecord.maximumLife else { return nil }
        var line = life
        if laterLife.count == JournalRecord.maximumLife {
            line = LifeEntry(
                stage: life.stage, at: life.at, why: "and more: the journal keeps no further lines of this one")
        }
        laterLife.append(line)
        laterTextBytes += line.whyBytes
        return (laterLife.count, line)
    }

    private mutating func add(_ text: Text, _ value: String?) {
        if let value {
            present |= 1 << UInt16(text.rawValue)
            if value.utf8.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil {
                bytes.append(contentsOf: value.utf8)
            }
        }
        ends[text.rawValue] = UInt16(clamping: bytes.count)
    }
}

extension Inspection {
    /// The channel that the request names or has created.
    fileprivate var channelText: String? {
        guard let channel else { return nil }
        return channel.id?.base64 ?? head.channelID.map { String($0.prefix(256)) }
    }
}

extension JournalRecord {
    /// The form that a store keeps, without payload and life.
    package struct Document: Hashable, Sendable, Codable {
        var received: Int64
        var environment: APNSEnvironment
        var kind: RequestKind
        var outcome: Verdict.Outcome
        var rule: String
        var why: String
        var omittedBytes: Int?
        var isVerified: Bool
        var isFromControl: Bool?
        var isJudged: Bool
        var showsUniqueID: Bool
        var fault: FaultNote?
        var random: UInt64
        var token, topic, pushType, priority, expiration, collapseID, keyID, teamID, apnsID, channelID: String?
    }

    package var document: Document {
        Document(
            received: received, environment: environment, kind: kind, outcome: outcome, rule: rule, why: why,
            omittedBytes: omittedBytes == 0 ? nil : omittedBytes, isVerified: isVerified,
            isFromControl: isFromControl ? true : nil, isJudged: isJudged, showsUniqueID: showsUniqueID, fault: fault,
            random: random, token: self[.token], topic: self[.topic], pushType: self[.pushType],
            priority: self[.priority], expiration: self[.expiration],
            collapseID: self[.collapseID], keyID: self[.keyID], teamID: self[.teamID], apnsID: self[.apnsID],
            channelID: self[.channelID])
    }

    /// A record from a store.
    package init(_ document: Document, payload: [UInt8], life: [LifeEntry]) {
        received = document.received
        environment = document.environment
        kind = document.kind
        outcome = document.outcome
        rule = document.rule
        why = document.why
        omittedBytes = document.omittedBytes ?? 0
        isVerified = document.isVerified
        isFromControl = document.isFromControl ?? false
        isJudged = document.isJudged
        showsUniqueID = document.showsUniqueID
        fault = document.fault
        random = document.random
        add(.token, document.token)
        add(.topic, document.topic)
        add(.pushType, document.pushType)
        add(.priority, document.priority)
        add(.expiration, document.expiration)
        add(.collapseID, document.collapseID)
        add(.keyID, document.keyID)
        add(.teamID, document.teamID)
        add(.apnsID, document.apnsID)
        add(.channelID, document.channelID)
        bytes.append(contentsOf: payload)
        for entry in life { add(entry) }
    }
}
