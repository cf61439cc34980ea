public import PushDispatch

/// The content of a push that names no record: something has changed, and a regular sync has to find out what.
///
/// A sender uses it where the changed ids do not fit into one push. Several pushes cannot replace it: of those that
/// wait for a device only the newest arrives (docs/reference/selective-sync.md 1.3). On the wire:
/// `{"aps":{"content-available":1},"type":"REGULAR_SYNC","object":"Interaction"}`.
///
/// It has its own type. With the type of a push that lists ids, an app that does not know it would read a payload without
/// ids; an unknown type is ignored.
public struct RegularSyncRequest: Hashable, Sendable {
    public static let type = "REGULAR_SYNC"

    /// API name of the object; nil for every object that the app keeps.
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
    /// Runs the regular sync that a push asks for. The store keeps the request before anything is fetched, until a regular
    /// sync that started later has finished.
    ///
    /// - Parameters:
    ///   - source: Usually the fetcher of the sync.
    ///   - now: The time of the device's clock.
    public static func regularSync(
        _ sync: RecordSync, from source: any RecordSource, policy: RegularSyncPolicy = RegularSyncPolicy(),
        now: @escaping @Sendable () -> ServerDate
    ) -> PushRoute {
        .regularSync { request, context in
            await sync.regularSync(request, from: source, policy: policy, now: now(), context)
        }
    }

    static func regularSync(
        _ handle: @escaping @Sendable (RegularSyncRequest, HandlerContext) async -> HandlerReport
    ) -> PushRoute {
        var route = PushRoute(
            RegularSyncRequest.type, decode: { try RegularSyncRequest($0) },
            hint: { request in request.object.map { Hint(type: RegularSyncRequest.type, object: $0, records: []) } },
            announcesRequests: true, handle: handle)
        route.isSilent = true
        return route
    }
}

extension RecordSync {
    /// - Returns: A report by the table of docs/reference/selective-sync.md 8.4: stored records count even if a later step
    ///   failed.
    func regularSync(
        _ request: RegularSyncRequest, from source: any RecordSource, policy: RegularSyncPolicy, now: ServerDate,
        _ context: HandlerContext
    ) async -> HandlerReport {
        let names = request.object.map { [$0] } ?? scopes.objects.keys.sorted()
        let session = sessions.current
        for name in names where scopes.objects[name] != nil {
            let hint = Hint(type: RegularSyncRequest.type, object: name, records: [])
            _ = await inOrder { sessions.allowsRequests && sessions.isCurrent(session) ? await keep(hint) : nil }
        }
        // The push was for the previous user.
        guard sessions.allowsRequests, sessions.isCurrent(session) else { return HandlerReport(changed: 0) }
        if names.contains(where: { core.allowsFetches(of: $0) }) { await context.willSendRequest() }
        var sum = HandlerReport(changed: 0)
        for name in names {
            guard scopes.objects[name] != nil else {
                onEvent(.unknownObject(name))
                continue
            }
            guard core.allowsFetches(of: name) else {
                // The object waits for Wi-Fi or for the foreground, and the request waits in the store.
                onEvent(.regularSyncNeeded(object: name))
                continue
            }
            let report = await regularSync(
                of: name, from: source, policy: policy, now: now, until: context.stopAt, checksGhosts: false
            ) { changed in await context.done([], changed: changed) }
            sum.changed += report.changed
            guard report.state != .done else { continue }
            onEvent(.regularSyncNeeded(object: name))
            // The call that is running may have started before the change, so the request stays in the store.
            if report.state != .running { sum.isFailed = true }
        }
        return sum
    }
}
