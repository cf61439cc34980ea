package import AppPlay
import EventDelivery
package import Foundation
package import Optimization
package import PushDispatch

/// An app with the library `Optimization`, on virtual time and files of its own, that talks to the optimization services.
///
/// `@unchecked Sendable`: only code that the loop runs on the main queue uses what changes.
package final class PlayedOptimization: PlayedApp, @unchecked Sendable {
    private let loop: PlayLoop
    private let service: OptimizationEndpoint
    private let transport: any OptimizationTransport
    private let folder: URL

    private var running: OptimizationProcess?
    /// How many processes have ended. Reports of an ended process are dropped.
    private var processes = 0
    private var isOnline = true
    private var unreported = OptimizationNews()

    /// - Parameters:
    ///   - folder: An existing one, for what the app stores.
    ///   - loop: One that takes the jobs of the main actor too.
    ///   - transport: The library's own over HTTP, unless a test answers by itself.
    package init(
        _ service: OptimizationEndpoint, folder: URL, on loop: PlayLoop,
        transport: any OptimizationTransport = URLSessionOptimizationTransport()
    ) {
        self.service = service
        self.folder = folder
        self.loop = loop
        self.transport = transport
    }

    private var wallTime: EventTime { EventTime(milliseconds: service.milliseconds + loop.now) }

    package func time() -> String { wallTime.description }

    package func end() {
        running?.end()
        running = nil
        processes += 1
        unreported.forgetAnswers()
    }

    package func news(hasWaited: Bool) -> [(key: String, value: JSONValue, text: String)] {
        unreported.take(withAnswers: hasWaited)
    }

    package func perform(_ action: OptimizationAction) async -> PlayOutcome {
        do {
            return try await outcome(of: action)
        } catch let error as PlayFailure {
            return PlayOutcome(error.failure)
        } catch let error as OptimizationError {
            return PlayOutcome(.init(error.code.rawValue, error.detail))
        } catch let error as DeliveryError {
            return PlayOutcome(.init(error.kind.playedWord, error.description))
        } catch {
            return PlayOutcome(.init("unknown", "\(error)"))
        }
    }

    @MainActor
    private func outcome(of action: OptimizationAction) async throws -> PlayOutcome {
        switch action {
        case .configure(let setup):
            if let running {
                running.setup = setup
                return PlayOutcome("the next \"initialize\" takes it")
            }
            running = OptimizationProcess(setup, in: surroundings)
            return PlayOutcome("a process of the app runs")
        case .online(let isOnline):
            self.isOnline = isOnline
            await running?.client.setOnline(isOnline)
            return PlayOutcome(isOnline ? "the device is online" : "the device is offline")
        case .kill:
            end()
            isOnline = true
            return PlayOutcome("the process has ended; its files stay")
        default:
            guard let running else {
                throw PlayFailure(
                    "notInitialized", "no process of the app runs; a step \"configure\" before it starts one")
            }
            if let outcome = try await reported(action, in: running) { return outcome }
            if let outcome = try await shown(action, in: running) { return outcome }
            if let outcome = try await previewed(action, in: running) { return outcome }
            return try await changed(action, in: running)
        }
    }

    @MainActor
    private var surroundings: OptimizationProcess.Surroundings {
        let number = processes
        return OptimizationProcess.Surroundings(
            loop: loop, service: service, transport: transport, folder: folder,
            wallClock: { [service, loop] in EventTime(milliseconds: service.milliseconds + loop.now) },
            isOnline: { [weak self] in self?.isOnline ?? false },
            onReport: { [weak self] report in
                if let self, processes == number { unreported.add(report) }
            },
            onBlocked: { [weak self] event in
                if let self, processes == number { unreported.add(event) }
            })
    }

    // MARK: Events

    /// Nil for a step of another kind, as the functions below.
    @MainActor
    private func reported(_ action: OptimizationAction, in running: OptimizationProcess) async throws -> PlayOutcome? {
        let client = running.client
        switch action {
        case .identify(let userID, let traits):
            return try outcome(of: try await client.identify(userID: userID, traits: traits), "identify")
        case .page(let properties): return try outcome(of: try await client.page(properties), "page")
        case .screen(let name, let properties):
            return try outcome(of: try await client.screen(name, properties: properties), "screen")
        case .trackView(let entry, let viewID, let milliseconds):
            let payload = ViewPayload(
                entry, viewID: viewID ?? "\(EventID())", viewDurationMilliseconds: milliseconds)
            return try outcome(of: try await client.trackView(payload), "component")
        case .trackClick(let entry):
            return try outcome(of: try await client.trackClick(ClickPayload(entry)), "component_click")
        default: return nil
        }
    }

    private func outcome(of event: EventOutcome, _ type: String) throws(PlayFailure) -> PlayOutcome {
        switch event {
        case .queued: return PlayOutcome("the event is in the queue, or sent", [("queued", true)])
        case .withoutProfile:
            return PlayOutcome("dropped: there is no profile yet that it could belong to", [("queued", false)])
        case .blocked:
            throw PlayFailure(
                "consent", "an event \"\(type)\" needs the person's consent; it is dropped, and not kept for later")
        }
    }

    // MARK: Entries

    @MainActor
    private func shown(_ action: OptimizationAction, in running: OptimizationProcess) async throws -> PlayOutcome? {
        switch action {
        case .resolve(let entry): return try await running.model(of: entry).resolution.playedOutcome
        case .visible(let entry, let ratio, let settings):
            let model = try await running.model(of: entry)
            if !settings.isEmpty { model.rules = settings.applied(to: setupRules(running)) }
            model.moved(to: ratio)
            return PlayOutcome("\(model.baseline.id ?? "the entry") is visible to \(Int((ratio * 100).rounded())) %")
        case .tap(let entry):
            let model = try await running.model(of: entry)
            model.tapped()
            return PlayOutcome("\(model.baseline.id ?? "the entry") is tapped")
        case .entryLiveUpdates(let entry, let isLive):
            let model = try await running.model(of: entry)
            model.isLive = isLive
            return model.resolution.playedOutcome
        case .mergeTag(let entry):
            let value = running.client.mergeTagValue(try await running.entry(entry))
            return PlayOutcome(value ?? "not a merge tag", [("value", value.map { .string($0) } ?? .null)])
        default: return nil
        }
    }

    @MainActor
    private func setupRules(_ running: OptimizationProcess) -> ViewTrackingRules {
        running.setup.configuration(service).views
    }

    // MARK: Preview

    @MainActor
    private func previewed(
        _ action: OptimizationAction, in running: OptimizationProcess
    ) async throws -> PlayOutcome? {
        let client = running.client
        switch action {
        case .panel(let isOpen): return await panel(isOpen, running)
        case .overrideAudience(let id, let isQualified, let experiences):
            client.overrideAudience(id, isQualified: isQualified, experienceIDs: experiences)
        case .overrideVariant(let experience, let index): client.overrideVariant(experience, index: index)
        case .resetAudience(let id): client.resetAudienceOverride(id)
        case .resetVariant(let experience): client.resetVariantOverride(experience)
        case .resetOverrides: client.resetAllOverrides()
        case .previewState:
            let state = client.previewState?.json ?? .null
            let count = state.object?["variantOverrides"]?.object?.count ?? 0
            return PlayOutcome("\(count) variants are overridden", [("preview-state", state)])
        default: return nil
        }
        return PlayOutcome()
    }

    /// The panel opens whether or not the names that it shows can be had.
    @MainActor
    private func panel(_ isOpen: Bool, _ running: OptimizationProcess) async -> PlayOutcome {
        running.client.setPreviewPanel(isOpen: isOpen)
        var outcome = PlayOutcome(
            isOpen ? "the panel is open" : "the panel is closed", [("open", .bool(running.client.isPreviewPanelOpen))])
        guard isOpen, running.client.isInitialized else { return outcome }
        do {
            try await running.fetchDefinitions()
        } catch {
            let word = (error as? DeliveryError)?.kind.playedWord ?? "unknown"
            outcome.members += [("failure", .string(word)), ("failure-detail", .string("\(error)"))]
            outcome.text += ", without the names of audiences and experiences: \(word)"
        }
        return outcome
    }

    // MARK: The client and its queues

    @MainActor
    private func changed(_ action: OptimizationAction, in running: OptimizationProcess) async throws -> PlayOutcome {
        let client = running.client
        switch action {
        case .initialize: try await running.initialize()
        case .destroy: client.destroy()
        case .consent(let events, let storage): await client.consent(events: events, storage: storage ?? events)
        case .reset: client.reset()
        case .liveUpdates(let isLive): client.isLive = isLive
        case .foreground: client.didBecomeActive()
        case .background:
            guard let report = await client.willResignActive(within: 5_000) else { return PlayOutcome() }
            return PlayOutcome(report.playedText, report.playedMembers)
        case .flush(let isForced):
            let report = try await client.flush(isForced: isForced, within: 60_000)
            return PlayOutcome(report.playedText, report.playedMembers)
        case .state:
            return PlayOutcome(client.isInitialized ? "initialized" : "not initialized", client.playedMembers)
        case .queue: return try queue(running)
        case .flag(let key):
            let value = client.flag(key)
            return PlayOutcome(
                value.map { String(decoding: $0.compactBytes, as: UTF8.self) } ?? "not set", [("value", value ?? .null)]
            )
        default: break
        }
        return PlayOutcome()
    }

    @MainActor
    private func queue(_ running: OptimizationProcess) throws -> PlayOutcome {
        let events = try running.events.all()
        let profile = events.filter { $0.destination == .optimizationProfile }
        let analytics = events.filter { $0.destination == .optimizationAnalytics }
        let kinds = events.map(\.kind).joined(separator: ", ")
        return PlayOutcome(
            events.isEmpty ? "no events are kept" : "kept: \(kinds)",
            [
                ("profile", .array(profile.map(\.playedValue))), ("analytics", .array(analytics.map(\.playedValue))),
            ])
    }
}
