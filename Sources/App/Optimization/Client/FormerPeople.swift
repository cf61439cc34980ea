import PushDispatch

/// The profile of each queued event: events from before a reset belong to the previous profile.
struct FormerPeople: Hashable, Sendable {
    /// More are not remembered; events of older ones create a profile of their own.
    static let maximum = 8

    private var number = 0
    private var profiles: [String: String] = [:]

    init() {}

    /// As stored.
    init(_ json: JSONValue) {
        number = max(0, json.object?["number"]?.wholeNumber ?? 0)
        for (group, id) in json.object?["profiles"]?.object ?? [:] {
            if let id = id.string, !id.isEmpty, profiles.count < FormerPeople.maximum { profiles[group] = id }
        }
    }

    var json: JSONValue {
        ["number": .integer(Int64(number)), "profiles": .object(profiles.mapValues { .string($0) })]
    }

    var isEmpty: Bool { number == 0 }

    /// The group of events of the person now.
    var current: String { "person-\(number)" }

    func profileID(of group: String) -> String? { profiles[group] }

    /// Another person uses the app now.
    ///
    /// - Parameter profileID: Of the one before; nil if it is not known yet.
    mutating func next(profileID: String?) {
        if let profileID { profiles[current] = profileID }
        let (next, overflow) = number.addingReportingOverflow(1)
        number = overflow ? 0 : next
        profiles["person-\(number - FormerPeople.maximum)"] = nil
    }

    /// Events before a reset have created a profile.
    mutating func learned(_ profileID: String, of group: String) {
        if profiles.count < FormerPeople.maximum { profiles[group] = profiles[group] ?? profileID }
    }
}
