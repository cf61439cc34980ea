// Measures how long Optimization takes to choose a variant and to replace links, and how much the simulated services answer;
// prints one line of JSON for each measure. Run a release build, on one core.
//
// apns-optimization-bench
import Foundation
import Optimization
import PushDispatch

func link(_ id: String) -> JSONValue { ["sys": ["type": "Link", "linkType": "Entry", "id": .string(id)]] }

/// An experience of the entry `hero` with ten variants.
func experience(_ number: Int, linked: Bool) -> ContentEntry {
    let ids = (0..<10).map { "variant-\(number)-\($0)" }
    let variants = ids.map { linked ? link($0) : variant($0).json }
    return ContentEntry(
        id: "experience-entry-\(number)", contentType: "nt_experience",
        fields: [
            "nt_name": .string("Experience \(number)"), "nt_type": "nt_personalization",
            "nt_experience_id": .string("experience-\(number)"),
            "nt_config": [
                "traffic": 1, "distribution": .array([JSONValue](repeating: .number(0.1), count: 10)), "sticky": false,
                "components": [
                    [
                        "type": "EntryReplacement", "baseline": ["id": "hero"],
                        "variants": .array(ids.map { ["id": .string($0), "hidden": false] }),
                    ]
                ],
            ],
            "nt_variants": .array(variants),
        ])
}

func variant(_ id: String) -> ContentEntry {
    ContentEntry(
        id: id, contentType: "hero",
        fields: ["title": .string("Title of \(id)"), "text": "Some words about it", "order": 7, "isNew": true])
}

func hero(linked: Bool) -> ContentEntry {
    let experiences = (0..<20).map { linked ? link("experience-entry-\($0)") : experience($0, linked: false).json }
    return ContentEntry(
        id: "hero", contentType: "hero", fields: ["title": "Hello", "nt_experiences": .array(experiences)])
}

func selections(_ numbers: some Sequence<Int>) -> [ExperienceSelection] {
    numbers.map { ExperienceSelection(experienceID: "experience-\($0)", variantIndex: 10) }
}

/// The mean of a call in microseconds.
func measure(_ name: String, limit: Double?, times: Int, _ body: () -> Bool) {
    for _ in 0..<(times / 10) where !body() { fatalError("\(name): the result is wrong") }
    let start = DispatchTime.now().uptimeNanoseconds
    for _ in 0..<times where !body() { fatalError("\(name): the result is wrong") }
    let microseconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000 / Double(times)
    let (value, bound) = (String(format: "%.2f", microseconds), limit.map { String(format: "%.1f", $0) } ?? "null")
    print(
        #"{"measure":"\#(name)","value":\#(value),"unit":"us","limit":\#(bound),"holds":\#(limit.map { microseconds <= $0 } ?? true)}"#
    )
}

let entry = hero(linked: false)
let (last, all, none) = (selections([19]), selections(0..<20), selections([99]))
measure("resolve, 20 experiences of 10 variants, the last is selected", limit: 20, times: 100_000) {
    EntryResolver.resolve(entry, selections: last).entry.id == "variant-19-9"
}
measure("resolve, all 20 are selected", limit: 20, times: 100_000) {
    EntryResolver.resolve(entry, selections: all).entry.id == "variant-0-9"
}
measure("resolve, none is selected", limit: nil, times: 100_000) {
    EntryResolver.resolve(entry, selections: none).selection == nil
}
let reply = DeliveryReply(
    items: [hero(linked: true)],
    includes: (0..<20).flatMap { number in
        [experience(number, linked: true)] + (0..<10).map { variant("variant-\(number)-\($0)") }
    })
measure("replace the links of a reply with 221 entries", limit: nil, times: 500) {
    reply.linkedEntries().unreplaced.isEmpty
}
try ServicesMeasure.run()
