import PushDispatch
import Testing

@testable import Optimization

struct ProfileReplyTests {
    /// The reply of docs/reference/personalization.md 10.
    private static let reply = #"""
        { "data": {
            "profile": { "id": "p1", "stableId": "p2", "random": 0.42, "audiences": ["aud-1"],
              "traits": {}, "location": {"city":"Berlin"}, "session": { "id": "s1", "isReturningVisitor": false,
              "landingPage": {}, "count": 1, "activeSessionLength": 0, "averageSessionLength": 0 } },
            "experiences": [ { "experienceId": "exp-1", "variantIndex": 1,
              "variants": { "baseline-id": "variant-id" }, "sticky": true } ],
            "changes": [ { "key": "flag", "type": "Variable", "value": true,
              "meta": { "experienceId": "exp-2", "variantIndex": 1 } } ] },
          "message": "ok", "error": null }
        """#

    @Test func `a reply has profile, selections and changes`() throws {
        let reply = try ProfileReply.read(Array(Self.reply.utf8))
        #expect(reply.issues.isEmpty)
        #expect(reply.profile.id == "p1" && reply.profile.stableID == "p2" && reply.profile.audiences == ["aud-1"])
        #expect(reply.profile.random == 0.42 && reply.profile.location.city == "Berlin")
        #expect(reply.profile.session.isReturningVisitor == false && reply.profile.session.count == 1)
        #expect(
            reply.selections == [
                ExperienceSelection(
                    experienceID: "exp-1", variantIndex: 1, variants: ["baseline-id": "variant-id"], isSticky: true)
            ])
        #expect(
            reply.changes == [
                OptimizationChange(key: "flag", value: true, experienceID: "exp-2", variantIndex: 1)
            ])
    }

    @Test func `selections and changes are written as they are read`() throws {
        let reply = try ProfileReply.read(Array(Self.reply.utf8))
        let again = try ProfileReply.read([
            "data": [
                "profile": reply.profile.json, "experiences": .array(reply.selections.map(\.json)),
                "changes": .array(reply.changes.map(\.json)),
            ]
        ])
        #expect(again == reply)
    }

    @Test func `what cannot be used is left out with its place`() throws {
        let reply = try ProfileReply.read([
            "data": [
                "profile": ["id": "p1"],
                "experiences": [
                    7, ["experienceId": "x"], ["experienceId": "", "variantIndex": 1],
                    ["experienceId": "y", "variantIndex": 1.5], ["experienceId": "z", "variantIndex": 2],
                ],
                "changes": ["no list"],
            ]
        ])
        #expect(reply.selections == [ExperienceSelection("z", 2)] && reply.changes.isEmpty)
        #expect(
            reply.issues.map(\.path) == [
                "data.experiences[0]", "data.experiences[1].variantIndex", "data.experiences[2].experienceId",
                "data.experiences[3].variantIndex", "data.changes[0]",
            ])
    }

    @Test func `a reply without a profile is an error that says what to check`() {
        for text in ["", "[]", #"{"data":{}}"#, #"{"data":{"profile":{"id":""}}}"#, #"{"message":"x"}"#, "<html>"] {
            let error = #expect(throws: OptimizationError.self) { try ProfileReply.read(Array(text.utf8)) }
            #expect(error?.code == .invalidValue)
        }
        let large = [UInt8](repeating: UInt8(ascii: " "), count: 1_000)
        let error = #expect(throws: OptimizationError.self) { try ProfileReply.read(large, maximumBytes: 999) }
        #expect(error?.detail.contains("more than 999 bytes") == true)
    }

    @Test func `a million bad selections give a hundred issues`() throws {
        let reply = try ProfileReply.read([
            "data": ["profile": ["id": "p"], "experiences": .array([JSONValue](repeating: 1, count: 10_000))]
        ])
        #expect(reply.issues.count == 100)
    }

    @Test func `an error names its code`() {
        #expect(
            ProfileReply.errorCode(Array(#"{"message":"no","data":{},"error":{"code":"ERR_INVALID_DATA"}}"#.utf8))
                == "ERR_INVALID_DATA")
        #expect(ProfileReply.errorCode([]) == nil)
    }

    @Test func `a flag is the value of the last change, without its wrapper`() {
        let flags = OptimizationChange.flags([
            OptimizationChange(key: "a", value: 1), OptimizationChange(key: "a", value: "two"),
            OptimizationChange(key: "b", value: ["value": ["inner": true]]),
            OptimizationChange(key: "c", value: ["value": 1]),
        ])
        #expect(flags == ["a": "two", "b": ["inner": true], "c": ["value": 1]])
    }
}
