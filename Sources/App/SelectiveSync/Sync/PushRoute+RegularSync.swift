public import PushDispatch

/// What a push says that names no record: something has changed, and a regular sync finds out what.
///
/// A sender takes it where the ids of what has changed do not fit one push, because of several pushes that wait for a
/// device only the newest arrives (docs/reference/selective-sync.md 1.3). On the wire:
/// `{"aps":{"content-available":1},"type":"REGULAR_SYNC","object":"Interaction"}`.
///
/// It has a type of its own and not that of the ids with none in it: an app that does not know it ignores it, and one
/// that reads ids is not sent a payload that lacks them.
public struct RegularSyncWish: Hashable, Sendable {
    public static let type = "REGULAR_SYNC"

    /// API name of the object; nil for all that the app keeps.
    public var object: String?

    public init(object: String?) { self.object = object }

    /// - Throws: `PushIssue` for an `object` that is not a string.
    public init(_ push: Push) throws {
        switch push["object"] ?? .null {
        case .null: object = nil
        case .string(let name): object = name
        case let value:
            throw PushIssue(.wrongKind, at: "/object", "is \(value.kindInWords); a string is wanted")
        }
    }
}

extension PushRoute {
    /// Runs the regular sync that a push asks for. The wish is kept in the store before anything is fetched, and stays
    /// there until a sync has run to its end, whoever ran it.
    ///
    /// - Parameters:
    ///   - source: Usually the fetcher of the sync.
    ///   - now: The device's clock.
    public static func regularSync(
        _ sync: SelectiveSync, from source: any RecordSource, policy: RegularPolicy = RegularPolicy(),
        now: @escaping @Sendable () -> ServerDate
    ) -> PushRoute {
        PushRoute(
            RegularSyncWish.type, decode: { try RegularSyncWish($0) },
            hint: { wish in wish.object.map { Hint(type: RegularSyncWish.type, object: $0, records: []) } },
            announcesRequests: true
        ) { wish, context in
            await sync.regularSync(wish, from: source, policy: policy, now: now(), context)
        }
    }
}

extension SelectiveSync {
    /// - Returns: By the table of docs/reference/selective-sync.md 8.4: what was stored on the way counts, whatever came later.
    func regularSync(
        _ wish: RegularSyncWish, from source: any RecordSource, policy: RegularPolicy, now: ServerDate,
        _ context: HandlerContext
    ) async -> HandlerReport {
        let names = wish.object.map { [$0] } ?? objects.keys.sorted()
        let turn = self.turn
        for name in names where objects[name] != nil {
            let hint = Hint(type: RegularSyncWish.type, object: name, records: [])
            _ = await inOrder { hasUser && isStill(turn) ? await keep(hint) : nil }
        }
        // It was for somebody who is gone.
        guard hasUser, isStill(turn) else { return HandlerReport(changed: 0) }
        await context.willSendRequest()
        var sum = HandlerReport(changed: 0)
        for name in names {
            guard objects[name] != nil else {
                onEvent(.unknownObject(name))
                continue
            }
            let report = await regularSync(
                of: name, from: source, policy: policy, now: now, until: context.stopAt, checksGhosts: false
            ) { changed in await context.done([], changed: changed) }
            sum.changed += report.changed
            guard report.state != .done else { continue }
            onEvent(.regularSyncNeeded(object: name))
            // Another call is at it; it may have begun before the change, so the wish stays.
            if report.state != .running { sum.isFailed = true }
        }
        return sum
    }
}
