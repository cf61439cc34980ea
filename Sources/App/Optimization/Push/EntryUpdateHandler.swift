public import PushDispatch

/// Fetches entries again that pushes name, and updates what is shown live (docs/reference/personalization.md 13.4).
///
/// ```swift
/// let updates = EntryUpdateHandler(client, delivery: delivery, rules: EntryUpdateRules(locale: "en-US"))
/// let dispatcher = PushDispatcher(routes: PushRoutes([updates.route]), pending: MemoryPendingStore())
/// ```
///
/// A push is a hint. Its name is stored before anything is fetched, in the client's storage, and removed once the reply is
/// stored, so nothing is lost when the device is offline or the process ends. What is left is tried again when the app comes to
/// the front or is online again, and by ``refreshPending()``. The client does not keep the handler alive: keep it as long as the client.
@MainActor
public final class EntryUpdateHandler {
    public nonisolated let rules: EntryUpdateRules
    private let client: OptimizationClient
    private let delivery: DeliveryClient
    private let onEvent: @Sendable (EntryUpdateEvent) -> Void
    /// Nil until the stored list could be read.
    private var stored: PendingEntryUpdates?
    /// What was named before the stored list could be read.
    private var early = PendingEntryUpdates()
    private var isSaved = true
    /// One fetch after the other, so that an older answer is never stored after a newer one.
    private let inOrder = SerialQueue()
    private let refreshed = Broadcast<ContentEntry>()
    /// The last try that the client has asked for.
    private(set) var retry: Task<Void, Never>?

    /// - Parameters:
    ///   - client: Its storage keeps the names, and its entries are updated. One handler for a client.
    ///   - delivery: The one with which the app fetches its entries, because its cache is updated.
    ///   - onEvent: Called in order; it should return quickly.
    public init(
        _ client: OptimizationClient, delivery: DeliveryClient, rules: EntryUpdateRules = EntryUpdateRules(),
        onEvent: @escaping @Sendable (EntryUpdateEvent) -> Void = { _ in }
    ) {
        self.client = client
        self.delivery = delivery
        self.rules = rules
        self.onEvent = onEvent
        client.entryUpdates = self
    }

    /// For a dispatcher: arrivals and taps. It shows nothing while the app is on the screen.
    public nonisolated var route: PushRoute {
        var route = PushRoute(
            rules.type, decode: { [rules] push in try rules.read(push) },
            handle: { [weak self] update, _ in
                guard let self, let update else { return HandlerReport(changed: 0) }
                return await self.handle(update)
            })
        route.isSilent = true
        return route
    }

    /// Fetches what a push has named.
    func handle(_ update: EntryUpdate) async -> HandlerReport {
        load()
        if let dropped = pending.keep(update) { onEvent(.dropped(dropped)) }
        save()
        return await inOrder {
            // A call before this one may have fetched it already, after this push had arrived.
            guard let element = pending.all.first(where: { $0.update == update }) else {
                return HandlerReport(changed: 0)
            }
            return await refresh(element)
        }
    }

    /// Fetches what earlier pushes have named and could not be fetched then. Call it in a background fetch of the system.
    ///
    /// - Returns: `noData` if nothing was left, or nothing has changed.
    @discardableResult
    public func refreshPending() async -> PushResult {
        load()
        return await inOrder {
            if !isSaved { save() }
            var report = HandlerReport(changed: 0)
            for element in pending.all { report.add(await refresh(element)) }
            return report.result
        }
    }

    /// What pushes have named and is not fetched yet, oldest first.
    public var pendingUpdates: [EntryUpdate] {
        load()
        return pending.all.map(\.update)
    }

    /// Each entry that a push has brought in another version, with its links replaced. An app that holds entries of its own
    /// replaces them with these.
    public func updates() -> AsyncStream<ContentEntry> { refreshed.stream(limit: 100) }

    /// The client is in front or online again.
    func tryAgain() {
        retry = client.mainTasks { [weak self] in _ = await self?.refreshPending() }
    }

    // MARK: Fetching

    private func refresh(_ element: PendingEntryUpdates.Element) async -> HandlerReport {
        guard !Task.isCancelled else { return HandlerReport(changed: 0, isFailed: true) }
        let update = element.update
        var report = HandlerReport(changed: 0)
        do throws(DeliveryError) {
            switch update {
            case .entry(let id): try await fetch([id], for: update, &report)
            case .experience(let id): try await fetch(await entries(of: id), for: update, &report)
            }
            if !report.isFailed { settle(element) }
        } catch {
            report.isFailed = true
            if error.isTemporary {
                onEvent(.postponed(update, reason: error.description))
            } else {
                settle(element)
                onEvent(.refused(update, error))
            }
        }
        return report
    }

    private func settle(_ element: PendingEntryUpdates.Element) {
        pending.settle(element)
        save()
    }

    /// The baselines of an experience, and the entries on the screen that have it.
    private func entries(of experience: String) async throws(DeliveryError) -> [String] {
        let query = DeliveryQuery(
            contentType: ExperienceEntry.contentType, locale: rules.locale,
            parameters: ["fields.nt_experience_id": experience])
        let found = try await delivery.fresh(query).linkedEntries().entries
        var ids: Set<String> = []
        for entry in found {
            for component in (try? ExperienceEntry.read(entry.json))?.configuration.components ?? [] {
                if case .entryReplacement(let replacement) = component { ids.insert(replacement.baseline.id) }
            }
        }
        for model in client.shownModels {
            let has = model.baseline["nt_experiences"]?.array?.contains {
                ExperienceFields.experienceID(of: $0) == experience
            }
            if has == true, let id = model.baseline.id { ids.insert(id) }
        }
        if ids.count > rules.maximumEntries { onEvent(.tooManyEntries(.experience(experience))) }
        return Array(ids.sorted().prefix(max(0, rules.maximumEntries)))
    }

    private func fetch(
        _ ids: [String], for update: EntryUpdate, _ report: inout HandlerReport
    ) async throws(DeliveryError) {
        var isPublished = false
        for id in ids {
            let query = DeliveryQuery(entryID: id, locale: rules.locale)
            let reply = try await delivery.fresh(query)
            guard let entry = reply.linkedEntry(id), reply.items.contains(where: { $0.id == id }) else { continue }
            isPublished = true
            let shown = client.shownModels.filter { entry.isSame(as: $0.baseline) }
            guard !delivery.isBehind(reply, of: query), !shown.contains(where: { entry.isOlder(than: $0.baseline) })
            else {
                onEvent(.postponed(update, reason: "the service has an older version than the app"))
                report.isFailed = true
                continue
            }
            let isStoredAnew = delivery.store(reply, for: query)
            let isShownAnew = shown.reduce(false) { $1.take(entry) || $0 }
            if isStoredAnew || isShownAnew {
                report.changed += 1
                refreshed.send(entry)
            }
            onEvent(.fetched(id, isChanged: isStoredAnew || isShownAnew))
        }
        if !isPublished { onEvent(.notPublished(update)) }
    }

    // MARK: The list

    private var pending: PendingEntryUpdates {
        get { stored ?? early }
        set { if stored == nil { early = newValue } else { stored = newValue } }
    }

    /// Reads the stored list, unless that has been done. Before the device is unlocked it may fail.
    private func load() {
        guard stored == nil, let values = try? client.storage.load() else { return }
        var list = PendingEntryUpdates(text: values[OptimizationStorageKey.entryUpdates] ?? "[]")
        for element in early.all { if let dropped = list.keep(element.update) { onEvent(.dropped(dropped)) } }
        if !early.all.isEmpty { isSaved = false }
        stored = list
        early = PendingEntryUpdates()
    }

    private func save() {
        do {
            guard let stored else { throw OptimizationError(.storage, "the stored list cannot be read yet") }
            try client.storage.save([OptimizationStorageKey.entryUpdates: stored.all.isEmpty ? nil : stored.text])
            isSaved = true
        } catch {
            if isSaved { onEvent(.notStored) }
            isSaved = false
        }
    }
}

extension HandlerReport {
    fileprivate mutating func add(_ other: HandlerReport) {
        changed += other.changed
        isFailed = isFailed || other.isFailed
    }
}

extension DeliveryError {
    /// Whether trying again later can help.
    fileprivate var isTemporary: Bool { allowsCached || kind == .cancelled }
}
