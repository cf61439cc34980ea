import APNSModel
import Foundation
import Optimization
import OptimizationSimulator
import PushDispatch
import ServiceHost

/// The services of the magazine: the core of `apns optimization`, whose answers are partly replaced by refusals.
///
/// @unchecked: only the thread of the simulation uses it.
final class MagazineService: @unchecked Sendable {
    static let clientID = "magazine"
    /// Everybody gets one of three variants of the first, gold members a variant of the second, which stays.
    private static let content = #"""
        [
          {"sys": {"id": "hero", "type": "Entry"}, "fields": {"nt_experiences": [
            {"sys": {"id": "x1", "type": "Entry", "contentType": {"sys": {"id": "nt_experience"}}},
             "fields": {"nt_name": "Test", "nt_type": "nt_experiment", "nt_experience_id": "exp-all",
               "nt_config": {"traffic": 0.9, "distribution": [0.4, 0.3, 0.3], "components": [
                 {"type": "EntryReplacement", "baseline": {"id": "hero"}, "variants": [{"id": "hero-a"}, {"id": ""}]}]},
               "nt_variants": [{"sys": {"id": "hero-a", "type": "Entry"}, "fields": {"title": "A"}}]}}]}},
          {"sys": {"id": "offer", "type": "Entry"}, "fields": {"nt_experiences": [
            {"sys": {"id": "x2", "type": "Entry", "contentType": {"sys": {"id": "nt_experience"}}},
             "fields": {"nt_name": "Gold", "nt_type": "nt_personalization", "nt_experience_id": "exp-gold",
               "nt_audience": {"sys": {"id": "a1", "type": "Entry", "contentType": {"sys": {"id": "nt_audience"}}},
                 "fields": {"nt_audience_id": "gold", "nt_name": "Gold members"}},
               "nt_config": {"traffic": 1, "distribution": [0.5, 0.5], "sticky": true, "components": [
                 {"type": "EntryReplacement", "baseline": {"id": "offer"}, "variants": [{"id": "offer-a"}]}]},
               "nt_variants": [{"sys": {"id": "offer-a", "type": "Entry"}, "fields": {"title": "A"}}]}}]}},
          {"sys": {"id": "footer", "type": "Entry"}, "fields": {"title": "Bye"}}
        ]
        """#
    static let experiences = ["exp-all", "exp-gold"]
    static let audience = "gold"

    /// What an app shows, with links replaced.
    static let entries: [Optimization.ContentEntry] = {
        let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 32, maximumValues: 10_000)
        guard let items = try? JSONReader.read(Array(content.utf8), limits: limits),
            let reply = try? DeliveryReply.read(["items": items])
        else { preconditionFailure("the content of the magazine is JSON") }
        return reply.items
    }()

    private unowned let run: MagazineRun
    private var world: OptimizationWorld
    /// The variants that profiles have got, by experience and stable id.
    private var given: [String: Int] = [:]

    init(_ run: MagazineRun) {
        self.run = run
        let document = OptimizationDocument(
            Array(
                """
                client-id: \(MagazineService.clientID)
                seed: \(run.seed % 1_000_000)
                entries: [content.json]
                audiences: [{id: gold, when: [{trait: plan, equals: gold}]}]
                """.utf8), name: "magazine"
        ) { _ in Array(MagazineService.content.utf8) }
        precondition(document.errors.isEmpty, "the services of the magazine: \(document.errors)")
        world = OptimizationWorld(document.configuration)
    }

    /// The events in the order of their arrival, without repeats.
    var received: [ProfileEventLog.Entry] { Array(world.service.events.entries) }

    var repeats: Int { world.service.events.repeats }

    /// The profile that an event belongs to in the end.
    func owner(of entry: ProfileEventLog.Entry) -> String { world.service.profiles.resolve(entry.profile) }

    /// The variant of an experience that a profile gets always; nil if it has none yet.
    func variant(of experience: String, _ stableID: String) -> Int? { given["\(experience) \(stableID)"] }

    /// A request has arrived.
    func answer(_ request: OptimizationHTTPRequest, of device: MagazineDevice) -> OptimizationHTTPReply {
        if run.injectsFault(run.faults.refusalPercent) {
            run.count(.serviceRefusal)
            let status = run.pick([400, 429, 500, 503, 503]) ?? 503
            // A server can fail after it has stored the events.
            if status >= 500, run.chance(50) { _ = perform(request) }
            run.trace("the service refuses \(device.name): \(status)")
            return OptimizationHTTPReply(status: status, headers: run.chance(30) ? ["retry-after": "2"] : [:])
        }
        return perform(request)
    }

    private func perform(_ request: OptimizationHTTPRequest) -> OptimizationHTTPReply {
        let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.key.lowercased(), $0.value) })
        let response = world.answer(
            ServiceRequest(
                request.method, request.url.path, query: request.url.query ?? "", headers: headers,
                body: request.body ?? []),
            real: MagazineRun.start + run.timeline.now
        ).response
        if response.status >= 400 {
            run.reportViolation("the service refuses a request of the library with \(response.status)")
        }
        if let reply = try? Optimization.ProfileReply.read(response.body) { check(reply) }
        return OptimizationHTTPReply(status: response.status, headers: response.headers, body: response.body)
    }

    /// The same profile gets the same variant, always.
    private func check(_ reply: Optimization.ProfileReply) {
        for selection in reply.selections {
            let key = "\(selection.experienceID) \(reply.profile.stableID)"
            if let former = given.updateValue(selection.variantIndex, forKey: key), former != selection.variantIndex {
                run.reportViolation(
                    "the profile \(reply.profile.id) gets variant \(selection.variantIndex) of \(selection.experienceID) "
                        + "after \(former)")
            }
        }
    }
}
