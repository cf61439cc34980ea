import PushDispatch

/// Chooses between an entry and its variants.
///
/// It is total and pure: it never throws, and the same arguments give the same result.
///
/// Source: docs/reference/personalization.md 13.2, whose steps the comments name.
public enum EntryResolver {
    /// - Parameters:
    ///   - baseline: With its links replaced (``DeliveryReply/linkedEntries()``). With links left in it, and with maps by
    ///     locale, the result is the baseline.
    ///   - selections: What the service has chosen; nil before its first reply. Their order does not matter; of two for one
    ///     experience the first counts.
    public static func resolve(_ baseline: ContentEntry, selections: [ExperienceSelection]?) -> EntryResolution {
        // 1.
        guard let selections else { return EntryResolution(baseline, .notSelectedYet) }
        guard !selections.isEmpty else { return EntryResolution(baseline, .nothingSelected) }
        // 2.
        guard let field = baseline["nt_experiences"] else { return EntryResolution(baseline, .noExperiences) }
        guard case .array(let experiences) = field else {
            return EntryResolution(baseline, .experiencesNotAList(field.kindInWords))
        }
        // 3 and 4. The id is compared before the entry is checked, because most experiences are not selected.
        let index = SelectionIndex(selections, lookups: experiences.count)
        for element in experiences {
            guard let id = ExperienceFields.experienceID(of: element), let selection = index[id],
                let experience = try? ExperienceFields(element)
            else { continue }
            return choose(baseline, experience, selection)
        }
        return EntryResolution(baseline, .noneSelected(ExperienceCount(experiences)))
    }

    /// 5: from here on the selection is part of the result.
    private static func choose(
        _ baseline: ContentEntry, _ experience: ExperienceFields, _ selection: ExperienceSelection
    ) -> EntryResolution {
        let id = experience.experienceID
        func keep(_ reason: ResolutionReason) -> EntryResolution {
            EntryResolution(baseline, reason, selection: selection)
        }
        // 6.
        guard selection.variantIndex != 0 else { return keep(.baselineSelected(experience: id)) }
        // 7.
        guard let component = component(of: experience, baseline: baseline) else {
            return keep(.noComponent(experience: id, baseline: baseline.id ?? ""))
        }
        // 8.
        let variants = component["variants"]?.array ?? []
        let (position, overflow) = selection.variantIndex.subtractingReportingOverflow(1)
        guard !overflow, variants.indices.contains(position) else {
            return keep(.noSuchVariant(experience: id, index: selection.variantIndex, of: variants.count))
        }
        guard let variant = variants[position].object?["id"]?.string else {
            return keep(.variantWithoutID(experience: id, index: selection.variantIndex))
        }
        // 9.
        guard !variant.isEmpty else {
            var resolution = keep(.emptyVariant(experience: id, index: selection.variantIndex))
            resolution.isEmptyVariant = true
            return resolution
        }
        // 10.
        var problem: EntryProblem?
        for element in experience.fields["nt_variants"]?.array ?? [] {
            guard case .object(let members) = element else { continue }
            let entry = ContentEntry(members)
            guard entry.id == variant else { continue }
            guard let found = entry.problem else {
                return EntryResolution(
                    entry, .variant(experience: id, index: selection.variantIndex, id: variant), selection: selection)
            }
            problem = problem ?? found
        }
        return keep(.variantMissing(experience: id, id: variant, problem))
    }

    private static func component(
        of experience: ExperienceFields, baseline: ContentEntry
    ) -> [String: JSONValue]? {
        guard let id = baseline.id,
            case .array(let components)? = experience.fields["nt_config"]?.object?["components"]
        else { return nil }
        for case .object(let members) in components {
            switch members["type"] {
            case nil, .null?, "EntryReplacement"?: break
            default: continue
            }
            guard case .object(let entry)? = members["baseline"], case .string(id)? = entry["id"],
                entry["hidden"]?.flag != true
            else { continue }
            return members
        }
        return nil
    }
}

/// Finds the selection of an experience.
private struct SelectionIndex {
    private let selections: [ExperienceSelection]
    /// Only where a search for each experience would take longer than making it.
    private let index: [String: Int]?

    init(_ selections: [ExperienceSelection], lookups: Int) {
        self.selections = selections
        let (work, overflow) = selections.count.multipliedReportingOverflow(by: lookups)
        guard overflow || work > 1_024 else {
            index = nil
            return
        }
        index = Dictionary(
            selections.indices.map { (selections[$0].experienceID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(experienceID: String) -> ExperienceSelection? {
        guard let index else { return selections.first { $0.experienceID == experienceID } }
        return index[experienceID].map { selections[$0] }
    }
}
