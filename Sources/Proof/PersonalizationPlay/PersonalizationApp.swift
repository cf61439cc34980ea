package import AppPlay
import EventDelivery
package import Foundation
package import Personalization
package import PushDispatch

/// An app with the library `Personalization`, on virtual time and files of its own, that talks to a decision service.
///
/// `@unchecked Sendable`: only the thread of the loop uses what changes.
package final class PersonalizationApp: PlayedApp, @unchecked Sendable {
    private let loop: PlayLoop
    private let service: PersonalizationEndpoint
    private let transport: any DecisionTransport
    private let files: PlayedFiles

    private var running: PersonalizationProcess?
    /// How many processes have ended. What an ended process fetched is not shown.
    private var processes = 0
    private var isOnline = true
    /// What the screen shows at each point.
    private var shown: [String: Decision] = [:]
    private var unreported = PersonalizationNews()

    /// - Parameters:
    ///   - folder: An existing one, for what the app stores.
    ///   - transport: The library's own over HTTP, unless a test answers by itself.
    package init(
        _ service: PersonalizationEndpoint, folder: URL, on loop: PlayLoop,
        transport: any DecisionTransport = URLSessionDecisionTransport()
    ) {
        self.service = service
        files = PlayedFiles(folder: folder)
        self.loop = loop
        self.transport = transport
    }

    private var wallTime: EventTime { EventTime(milliseconds: service.milliseconds + loop.now) }

    package func time() -> String { wallTime.description }

    package func end() {
        running?.end()
        running = nil
        processes += 1
        shown = [:]
        unreported.forgetShown()
    }

    package func news(hasWaited: Bool) -> [(key: String, value: JSONValue, text: String)] {
        unreported.take(withShown: hasWaited)
    }

    package func perform(_ action: PersonalizationAction) async -> PlayOutcome {
        do {
            return try await outcome(of: action)
        } catch let error as PlayFailure {
            return PlayOutcome(error.failure)
        } catch let error as DecisionError {
            return PlayOutcome(.init(error.code.rawValue, error.detail))
        } catch let error as PersonalizationError {
            return PlayOutcome(.init(error.code.rawValue, error.detail))
        } catch {
            return PlayOutcome(.init("unknown", "\(error)"))
        }
    }

    private func outcome(of action: PersonalizationAction) async throws -> PlayOutcome {
        switch action {
        case .configure(let setup): return try await configure(setup)
        case .online(let isOnline):
            self.isOnline = isOnline
            await running?.client.networkChanged(isOnline: isOnline)
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
            return try await outcome(of: action, in: running)
        }
    }

    private func configure(_ setup: PersonalizationSetup) async throws -> PlayOutcome {
        guard running == nil else {
            throw PlayFailure(
                "alreadyConfigured", "a process of the app runs; a step \"kill\" before it ends that process")
        }
        let number = processes
        let process = try await PersonalizationProcess.start(
            setup,
            in: PersonalizationProcess.Surroundings(
                loop: loop, service: service, transport: transport, files: files,
                wallClock: { [service, loop] in EventTime(milliseconds: service.milliseconds + loop.now) },
                isOnline: isOnline, onReport: { [weak self] in self?.unreported.add($0) },
                show: { [weak self] push, result in
                    guard let self, processes == number else { return }
                    show(push, result)
                }))
        running = process
        let (identity, session) = (try await process.client.identity(), try await process.client.sessionID())
        return PlayOutcome(
            "the app runs on the device \(identity.deviceID)",
            [
                ("device-id", .string(identity.deviceID)), ("session-id", .string(session)),
                ("app-source-id", .string(process.configuration.appSourceID.uuidString.lowercased())),
            ])
    }

    private func outcome(
        of action: PersonalizationAction, in running: PersonalizationProcess
    ) async throws -> PlayOutcome {
        let client = running.client
        switch action {
        case .configure, .online, .kill: return PlayOutcome()
        case .consent(let answer):
            try await client.setConsent(answer)
            return PlayOutcome()
        case .fetch(let points, let context, let timeout):
            let fetched = try await client.fetchDecisions(points, context: context, timeoutMilliseconds: timeout)
            show(fetched)
            return PlayOutcome(fetched.playedText, fetched.playedMembers)
        case .appear(let place):
            let content = try content(at: place)
            let isFirst = try await client.appeared(content)
            return PlayOutcome(
                isFirst ? "an impression of \(content.contentID)" : "it was seen in this session before",
                [("queued", .bool(isFirst))] + content.playedMembers)
        case .tap(let place):
            let content = try content(at: place)
            try await client.tapped(content)
            let route = shown[place.point]?.items.dropFirst(place.item ?? 0).first.flatMap { item in
                running.configuration.links.outcome(ofItem: { item[$0] })?.route
            }
            return PlayOutcome(
                "a click on \(content.contentID)\(route.map { ", which leads to \($0.playedText)" } ?? "")",
                [("queued", true), ("route", route.playedValue)] + content.playedMembers)
        case .dismiss(let place):
            let content = try content(at: place)
            try await client.dismissed(content)
            return PlayOutcome(
                "a dismissal of \(content.contentID)", [("queued", true)] + content.playedMembers)
        case .identify(let facts):
            try await identify(facts, client)
            return PlayOutcome()
        case .logOut:
            try await client.logOut()
            return PlayOutcome()
        case .openPush(let payload, let requestID): return await open(payload, requestID, running)
        case .route(let link):
            let outcome = running.configuration.links.outcome(of: link)
            return PlayOutcome(
                outcome.playedText, [("route", outcome.route.playedValue), ("outcome", .string(outcome.playedWord))])
        case .background:
            let report = await client.didEnterBackground(within: 5_000)
            return PlayOutcome(report.playedText, report.playedMembers)
        case .foreground:
            try await client.didBecomeActive()
            let session = try await client.sessionID()
            return PlayOutcome("the session is \(session)", [("session-id", .string(session))])
        case .flush:
            let report = await client.flush(within: 60_000)
            return PlayOutcome(report.playedText, report.playedMembers)
        case .queue: return try queue(running)
        }
    }

    private func identify(_ facts: PersonFacts, _ client: PersonalizationClient) async throws {
        guard facts.isLogIn else { return try await client.setProfileAttributes(facts.attributes) }
        try await client.logIn(facts.person)
        let removed = facts.attributes.filter { $0.value == nil }
        if !removed.isEmpty { try await client.setProfileAttributes(removed) }
    }

    // MARK: Pushes

    private func open(
        _ payload: JSONValue, _ requestID: String?, _ running: PersonalizationProcess
    ) async -> PlayOutcome {
        let push = Push(json: Data(payload.compactBytes))
        // Without an id each step is a notification of its own.
        let requestID = requestID ?? UUID().uuidString.lowercased()
        guard let opening = await running.handler.opened(push, requestID: requestID) else {
            return PlayOutcome(
                "not a personalization push, so another handler of the app gets it",
                [("handled", false), ("route", .null)])
        }
        // The tap has brought the app to the front.
        try? await running.client.didBecomeActive()
        let (word, detail) = opening.event.playedWords
        var members: [(key: String, value: JSONValue)] = [
            ("handled", true), ("route", opening.route.playedValue), ("event", .string(word)),
        ]
        if let detail { members.append(("event-detail", .string(detail))) }
        let issues = opening.push.content.issues.map { JSONValue.string("\($0)") }
        if !issues.isEmpty { members.append(("issues", .array(issues))) }
        return PlayOutcome(
            "\(opening.route.map { "it leads to \($0.playedText)" } ?? "it leads nowhere"), the open event is \(word)",
            members)
    }

    private func show(_ push: OpenedPush, _ result: Result<FetchedDecisions, any Error>) {
        if case .success(let fetched) = result { show(fetched) }
        unreported.add(push.requestID, result)
    }

    // MARK: The screen

    private func show(_ fetched: FetchedDecisions) {
        for decision in fetched.decisions { shown[decision.point] = decision }
    }

    private func content(at place: PersonalizationAction.Place) throws(PlayFailure) -> EngagementContent {
        guard let decision = shown[place.point] else {
            throw PlayFailure(
                "notShown", "nothing is shown at \"\(place.point)\"; fetch it first, or wait until a push has shown it")
        }
        guard !decision.isDefault else {
            throw PlayFailure(
                "missingID", "the app's own content is shown at \"\(place.point)\", about which nothing is reported")
        }
        // Fixed content is its own first item.
        let index = place.item == 0 && decision.items.isEmpty ? nil : place.item
        let content = index.map { decision.engagement(withItem: $0) } ?? decision.engagement
        guard let content else {
            throw PlayFailure(
                "noItem",
                "there is no item \(index ?? 0) at \"\(place.point)\", which has \(decision.items.count), counted from 0"
            )
        }
        return content
    }

    private func queue(_ running: PersonalizationProcess) throws -> PlayOutcome {
        let events = try running.events.all()
        let kinds = events.map(\.kind).joined(separator: ", ")
        return PlayOutcome(
            events.isEmpty ? "no events are kept" : "kept: \(kinds)",
            [("events", .array(events.map(\.playedValue)))])
    }
}
