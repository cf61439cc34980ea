import ServiceHost

/// The profiles by id, who they are known as, and which ids lead to them.
package struct ProfileBook: Sendable {
    private(set) var table = TrackedTable<VisitorProfile>()
    private var byUser: [String: String] = [:]
    private var mergedInto: [String: String] = [:]
    private let limit: Int
    /// Profiles that were answered and not kept.
    package internal(set) var dropped = 0

    init(limit: Int) { self.limit = limit }

    package var count: Int { table.count }
    package var ids: some Collection<String> { table.values.keys }
    /// Nil for an id that was merged into another.
    package subscript(id: String) -> VisitorProfile? { table.values[id] }

    /// The id that an id leads to: its own, or that of the profile it was merged into.
    package func resolve(_ id: String) -> String { mergedInto[id] ?? id }

    package func find(_ id: String) -> VisitorProfile? { table.values[resolve(id)] }

    func profile(ofUser userID: String) -> String? { byUser[userID] }

    /// Puts a profile in, or in place of its former state.
    ///
    /// - Returns: False if there are too many.
    @discardableResult
    mutating func put(_ profile: VisitorProfile) -> Bool {
        let old = table.values[profile.id]
        guard old != nil || table.count < limit else {
            dropped += 1
            return false
        }
        if old?.merged != profile.merged {
            for id in Set(old?.merged ?? []).subtracting(profile.merged) { mergedInto[id] = nil }
            for id in profile.merged { mergedInto[id] = profile.id }
        }
        if let userID = profile.userID { byUser[userID] = profile.id }
        table[profile.id] = profile
        return true
    }

    @discardableResult
    mutating func remove(_ id: String) -> VisitorProfile? {
        guard let profile = table.values[id] else { return nil }
        table[id] = nil
        if let userID = profile.userID, byUser[userID] == id { byUser[userID] = nil }
        for merged in profile.merged where mergedInto[merged] == id { mergedInto[merged] = nil }
        return profile
    }

    mutating func track(_ mode: ChangeTracking) { table.track(mode) }
    mutating func takeChanges() -> [String] { table.takeChanges() }
}
