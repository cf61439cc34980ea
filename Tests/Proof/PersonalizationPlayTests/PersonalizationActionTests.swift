import AppPlay
import EventDelivery
import Foundation
import Personalization
import PushDispatch
import Testing

@testable import PersonalizationPlay

struct PersonalizationActionTests {
    private func read(_ line: String) throws(PlayMistake) -> PersonalizationAction? {
        guard case .app(let action) = try PlayStep<PersonalizationAction>.read(Array(line.utf8))?.kind else {
            return nil
        }
        return action
    }

    @Test(
        arguments: [
            (#"{"do":"configure"}"#, .configure(PersonalizationSetup())),
            (#"{"do":"consent","value":"opt-out"}"#, .consent(.optedOut)),
            (#"{"do":"consent","value":"opt-in"}"#, .consent(.optedIn)),
            (#"{"do":"consent","value":"pending"}"#, .consent(.pending)),
            (#"{"do":"appear","point":"a","item":2}"#, .appear(.init(point: "a", item: 2))),
            (#"{"do":"tap","point":"a"}"#, .tap(.init(point: "a"))),
            (#"{"do":"dismiss","point":"a","item":0}"#, .dismiss(.init(point: "a", item: 0))),
            (
                #"{"do":"identify","user-id":"u","email":"e","attributes":{"n":1,"b":true,"x":null}}"#,
                .identify(PersonFacts(userID: "u", email: "e", attributes: ["n": "1", "b": "true", "x": nil]))
            ),
            (#"{"do":"log-out"}"#, .logOut),
            (#"{"do":"open-push","payload":{"a":1},"request-id":"n"}"#, .openPush(payload: ["a": 1], requestID: "n")),
            (#"{"do":"route","url":"https://a"}"#, .route("https://a")),
            (#"{"do":"online","value":true}"#, .online(true)),
            (#"{"do":"background"}"#, .background), (#"{"do":"foreground"}"#, .foreground), (#"{"do":"kill"}"#, .kill),
            (#"{"do":"flush"}"#, .flush), (#"{"do":"queue"}"#, .queue),
        ] as [(String, PersonalizationAction)]) func `each step is read`(
            _ line: String, _ action: PersonalizationAction
        ) throws
    { #expect(try read(line) == action) }

    @Test func `every name has a step`() {
        for name in PersonalizationAction.names {
            var members = PlayMembers([:], "the step")
            do throws(PlayMistake) {
                _ = try PersonalizationAction.read(name, &members)
            } catch {
                #expect(error.detail.hasPrefix("the step has no"), "\(name)")
            }
        }
    }

    @Test func `a context has typed values, an anchor and the ids for tracing`() throws {
        let line = #"""
            {"do":"fetch","points":["a"],"timeout":2,"context":{"anchorId":"1","anchorType":"t","requestUrl":"https://a",
            "correlationId":"c","messageId":"m","profileId":"p","unifiedIndividualId":"i","text":"x","n":1,"d":1.25,"b":true,
            "none":null}}
            """#
        var context = DecisionContext(
            profileID: "p", unifiedIndividualID: "i", anchor: DecisionAnchor(id: "1", type: "t"),
            requestURL: "https://a", correlationID: "c", messageID: "m",
            attributes: ["text": "x", "n": 1, "b": true])
        context.attributes["d"] = .decimal(1.25)
        #expect(try read(line) == .fetch(points: ["a"], context: context, timeoutMilliseconds: 2_000))
    }

    @Test func `everything can be configured`() throws {
        let line = #"""
            {"do":"configure","app-source-id":"s","data-space":"d","session-timeout":1.5,"naming":"guide","screen-tracking":true,
            "life-cycle-tracking":true,"device-id-after-log-out":"new","app-name":"n","app-version":"2","timeout":3,
            "request-timeout":"4s","graphs":{"a":"g"},"defaults":{"a":{"attributes":{"t":1},"data":[{"u":2}]}},
            "link-hosts":["H"],"push-points":["p","q"],"push-context":["c"]}
            """#
        var setup = PersonalizationSetup()
        (setup.appSourceID, setup.dataSpace, setup.sessionTimeoutMilliseconds) = ("s", "d", 1_500)
        (setup.naming, setup.tracksScreens, setup.tracksLifecycle) = (.guide, true, true)
        (setup.deviceIDAfterLogOut, setup.app) = (.new, AppDescription(name: "n", version: "2"))
        (setup.timeoutMilliseconds, setup.requestMilliseconds, setup.graphs) = (3_000, 4_000, ["a": "g"])
        setup.defaults = ["a": DefaultContent(attributes: ["t": 1], items: [["u": 2]])]
        setup.links.hosts = ["h"]
        (setup.pushes.points, setup.pushes.defaultPoints, setup.pushes.contextKeys) = (["p", "q"], ["p"], ["c"])
        #expect(try read(line) == .configure(setup))
    }

    @Test(arguments: [
        (#"{"do":"consent","value":"yes"}"#, #""value" is "yes"; one of "opt-in", "opt-out", "pending" is wanted"#),
        (#"{"do":"consent"}"#, #"has no "value""#),
        (#"{"do":"fetch"}"#, #"has no "points""#),
        (#"{"do":"fetch","points":["a"],"context":{"individualId":"d"}}"#, "the library sets \"individualId\""),
        (#"{"do":"fetch","points":["a"],"context":{"a":[1]}}"#, "\"a\" of the context is an array"),
        (#"{"do":"fetch","points":["a"],"context":{"anchorType":"t"}}"#, "no \"anchorId\""),
        (#"{"do":"appear","point":"a","item":-1}"#, #""item" is -1; a whole number from 0 to 999"#),
        (#"{"do":"appear","point":"a","item":"0"}"#, #""item" is "0"; a whole number"#),
        (#"{"do":"open-push","request-id":"n"}"#, #"has no "payload""#),
        (#"{"do":"identify","attributes":{"a":{}}}"#, #"the attribute "a" is an object"#),
        (#"{"do":"configure","defaults":{"a":{"date":1}}}"#, #"did you mean "data"?"#),
        (#"{"do":"configure","defaults":{"a":{"data":[1]}}}"#, #""data" is an array; an array of objects"#),
        (#"{"do":"configure","graphs":{"a":1}}"#, #""graphs" is 1; an object"#),
        (#"{"do":"configure","naming":"guides"}"#, #"one of "reference", "product", "other", "guide""#),
    ]) func `a wrong value says what is wanted`(_ line: String, _ part: String) throws {
        let mistake = #expect(throws: PlayMistake.self) { _ = try read(line) }
        #expect(mistake?.detail.contains(part) == true, "\(mistake?.detail ?? "")")
    }
}
