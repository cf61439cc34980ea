import PayloadJSON

/// A member of `aps`, `alert` or `sound` with an unknown key, or a member of the root that was probably meant to be
/// `aps`.
struct UnknownMember {
    /// What the key was probably meant to be.
    enum Guess {
        /// A key with the same letters: only case, hyphens or underscores differ.
        case spelling(KnownKey)
        /// A similar key.
        case misspelt(KnownKey)
        /// A key of another object.
        case misplaced(KnownKey)
        case nothing
    }

    let name: String
    let value: JSONIndex
    let container: PayloadKey.Container
    let guess: Guess
}

extension PayloadKey.Container {
    /// The object in words, for messages.
    var inWords: String {
        switch self {
        case .root: "the payload"
        case .aps: "aps"
        case .alert: "alert"
        case .sound: "sound"
        case .titleText: "title"
        case .bodyText: "body"
        }
    }

    /// The other objects that an unknown key may belong to.
    fileprivate var others: [PayloadKey.Container] {
        switch self {
        case .aps: [.alert, .sound]
        case .alert: [.aps]
        case .root, .sound, .titleText, .bodyText: []
        }
    }
}

extension InspectedNotification {
    /// The facts of payloads that have unknown members.
    static let unknownMemberFacts = KeySet([], [.unknownInAPS, .unknownInAlert, .unknownInSound, .noAPS])

    /// The unknown members if the system uses `aps`; otherwise none, because any key is allowed.
    func unknownMembers() -> [UnknownMember] {
        guard consumer != .app else { return [] }
        var members: [UnknownMember] = []
        if has(.noAPS) { collectInPlaceOfAPS(&members) }
        if has(.unknownInAPS), let aps { collect(in: aps, .aps, &members) }
        if has(.unknownInAlert) {
            collect(.alert, .alert, &members)
            if consumer == .liveActivity {
                collect(.alertTitle, .titleText, &members)
                collect(.alertBody, .bodyText, &members)
            }
        }
        if has(.unknownInSound) { collect(.sound, .sound, &members) }
        return members
    }

    private func collect(_ key: KnownKey, _ container: PayloadKey.Container, _ members: inout [UnknownMember]) {
        guard let object = self[key] else { return }
        collect(in: object, container, &members)
    }

    private func collect(
        in object: JSONIndex, _ container: PayloadKey.Container, _ members: inout [UnknownMember]
    ) {
        let spellings = KnownSpelling.all(in: container)
        for member in document.members(of: object) {
            guard let name = document.string(of: member.key), !spellings.contains(where: { $0.name == name }) else {
                continue
            }
            members.append(
                UnknownMember(
                    name: name, value: member.value, container: container, guess: guess(name, in: container)))
        }
    }

    /// Looks for a misspelt `aps`, if there is none. Only an object that contains keys of `aps` counts, in any spelling
    /// with the same letters; all others are the app's own.
    private func collectInPlaceOfAPS(_ members: inout [UnknownMember]) {
        guard let aps = KnownSpelling.all(in: .root).first(where: { $0.key == .aps }) else { return }
        for member in document.members(of: .root) {
            guard document.kind(of: member.value) == .object, let name = document.string(of: member.key) else {
                continue
            }
            let folded = KnownSpelling.fold(name)
            let isSpelling = folded == aps.folded
            guard isSpelling || KnownSpelling.distance(folded, aps.folded, atMost: 1) != nil,
                document.members(of: member.value).contains(where: { isKeyOfAPS($0.key) })
            else { continue }
            members.append(
                UnknownMember(
                    name: name, value: member.value, container: .root,
                    guess: isSpelling ? .spelling(.aps) : .misspelt(.aps)))
        }
    }

    private func isKeyOfAPS(_ key: JSONIndex) -> Bool {
        guard let name = document.string(of: key) else { return false }
        let folded = KnownSpelling.fold(name)
        return KnownSpelling.all(in: .aps).contains { $0.folded == folded }
    }

    /// A known key that is present cannot be what an unknown key was meant to be.
    private func guess(_ name: String, in container: PayloadKey.Container) -> UnknownMember.Guess {
        let folded = KnownSpelling.fold(name)
        let wanted = KnownSpelling.all(in: container).filter { written($0.key) == nil }
        if let same = wanted.first(where: { $0.folded == folded }) { return .spelling(same.key) }
        for other in container.others {
            // "name" is too common a word to be reported as misplaced.
            guard name != "name" else { break }
            if let same = KnownSpelling.all(in: other).first(where: { $0.name == name }) { return .misplaced(same.key) }
        }
        let near = wanted.compactMap { row in
            KnownSpelling.distance(folded, row.folded, atMost: folded.count < 8 ? 1 : 2).map { (row.key, $0) }
        }
        return near.min { $0.1 < $1.1 }.map { .misspelt($0.0) } ?? .nothing
    }
}
