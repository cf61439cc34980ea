import AppPlay
import Foundation
import Personalization
import PersonalizationSimulator
import PushDispatch
import ServiceHost
import TestSupport
import Testing

@testable import PersonalizationPlay

/// 2026-05-08T09:15:30.120Z
let morning: Int64 = 1_778_231_730_120

/// A decision service over loopback on a manual clock, and an app that plays scripts against it.
final class PlayedService: Sendable {
    let server: ServiceServer
    let run: PlayRun<PersonalizationApp>

    private init(_ server: ServiceServer, _ run: PlayRun<PersonalizationApp>) {
        self.server = server
        self.run = run
    }

    /// - Parameter configuration: A document of the service; nil for its standard one.
    static func with(
        _ configuration: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (PlayedService) async throws -> Void
    ) async throws {
        var service = ServiceConfiguration.standard(seed: 1)
        if let configuration {
            let document = PersonalizationDocument(Array(configuration.utf8), name: "service.yaml", seed: 1)
            #expect(document.errors.isEmpty, "\(document.errors)", sourceLocation: sourceLocation)
            service = document.configuration
        }
        let source = service.appSourceID
        let server = try await ServiceServer.start(
            ServiceWorld(service, clock: .manual(at: morning)), ServiceServer.Options())
        try await withTemporaryFolder { folder in
            let loop = PlayLoop()
            let app = PersonalizationApp(
                PersonalizationEndpoint(url: server.url, appSourceID: source, milliseconds: morning), folder: folder,
                on: loop)
            let played = PlayedService(server, PlayRun(app, on: loop))
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(played))
            } catch {
                result = .failure(error)
            }
            await played.run.end()
            await server.stop()
            try result.get()
        }
    }

    /// Plays lines, and returns the result of each step.
    @discardableResult
    func play(_ script: String) async throws -> [PlayResult] {
        var results: [PlayResult] = []
        for line in script.split(separator: "\n") {
            guard let step = try PlayStep<PersonalizationAction>.read(Array(line.utf8)) else { continue }
            results.append(try #require(await run.perform(step, number: results.count + 1)))
        }
        return results
    }

    /// The result of the last step.
    func last(_ script: String) async throws -> JSONValue { try #require(try await play(script).last).json }

    /// What the service has stored, by type or the behaviour or interaction where there is one.
    var kinds: [String] { server.read { $0.service.events.entries.map { $0.event.kind } } }
}

extension ServiceEvent {
    fileprivate var kind: String { interactionName ?? members["status"]?.string ?? type }
}

extension JSONValue {
    subscript(key: String) -> JSONValue? { object?[key] }
}
