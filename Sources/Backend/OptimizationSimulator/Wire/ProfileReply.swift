import PushDispatch
import ServiceHost

/// Replies of the profile service.
enum ProfileReply {
    static func response(_ data: JSONValue) -> ServiceResponse {
        .json([("data", data), ("message", "ok"), ("error", .null)])
    }

    static func data(_ reply: OptimizationService.Reply) -> JSONValue {
        [
            "profile": json(reply.profile),
            "experiences": .array(
                reply.selections.map { selection in
                    [
                        "experienceId": .string(selection.experienceID),
                        "variantIndex": .integer(Int64(selection.variantIndex)),
                        "variants": .object(selection.variants.mapValues { .string($0) }),
                        "sticky": .bool(selection.isSticky),
                    ]
                }),
            "changes": .array(
                reply.changes.map { change in
                    [
                        "key": .string(change.key), "type": "Variable", "value": change.value,
                        "meta": [
                            "experienceId": .string(change.experienceID),
                            "variantIndex": .integer(Int64(change.variantIndex)),
                        ],
                    ]
                }),
        ]
    }

    static func json(_ profile: VisitorProfile) -> JSONValue {
        [
            "id": .string(profile.id), "stableId": .string(profile.stableID), "random": .number(profile.random),
            "audiences": .array(profile.audiences.map { .string($0) }), "traits": .object(profile.traits),
            "location": .object(profile.location), "session": .object(profile.session.members),
        ]
    }
}
