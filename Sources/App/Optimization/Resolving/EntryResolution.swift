public import PushDispatch

/// What an entry shows, and why.
public struct EntryResolution: Hashable, Sendable {
    /// The variant, or the baseline.
    public var entry: ContentEntry
    /// The selection that was used, also where it led to the baseline; nil if there was none.
    public var selection: ExperienceSelection?
    /// The variant shows nothing: hide the view. ``entry`` is the baseline then, as in the first generation.
    public var isEmptyVariant = false
    public var reason: ResolutionReason

    init(_ entry: ContentEntry, _ reason: ResolutionReason, selection: ExperienceSelection? = nil) {
        self.entry = entry
        self.selection = selection
        self.reason = reason
    }

    /// Whether something else than the baseline is shown.
    public var isVariant: Bool { if case .variant = reason { true } else { isEmptyVariant } }

    /// `{"entry":…,"selection":…,"empty-variant":…,"why":…}`.
    public var json: JSONValue {
        [
            "entry": entry.json, "selection": selection?.json ?? .null, "empty-variant": .bool(isEmptyVariant),
            "why": .string(reason.description),
        ]
    }
}

/// Why an entry shows what it shows.
public enum ResolutionReason: Hashable, Sendable, CustomStringConvertible {
    /// The client is not initialized.
    case notInitialized
    /// The service has not answered yet.
    case notSelectedYet
    case nothingSelected
    case noExperiences
    /// The field is of this kind instead of a list.
    case experiencesNotAList(String)
    case noneSelected(ExperienceCount)
    case baselineSelected(experience: String)
    /// No visible entry replacement of the experience is for this baseline.
    case noComponent(experience: String, baseline: String)
    case noSuchVariant(experience: String, index: Int, of: Int)
    case variantWithoutID(experience: String, index: Int)
    case emptyVariant(experience: String, index: Int)
    /// `nt_variants` has no complete entry of this id; what is there instead, if anything.
    case variantMissing(experience: String, id: String, EntryProblem?)
    case variant(experience: String, index: Int, id: String)

    public var description: String {
        switch self {
        case .notInitialized: "the client is not initialized"
        case .notSelectedYet: "the profile service has not answered yet, so there are no selections"
        case .nothingSelected: "the profile service has selected no experience"
        case .noExperiences: "the entry has no nt_experiences"
        case .experiencesNotAList(let kind):
            "nt_experiences is \(kind) instead of an array; ask the delivery service for one locale"
        case .noneSelected(let count): count.description
        case .baselineSelected(let experience): "experience \(experience.inMessage) is selected with the baseline"
        case .noComponent(let experience, let baseline):
            "experience \(experience.inMessage) is selected, but replaces no visible baseline \(baseline.inMessage)"
        case .noSuchVariant(let experience, let index, let count):
            "experience \(experience.inMessage) is selected, but its variant \(index) of \(count) does not exist"
        case .variantWithoutID(let experience, let index):
            "experience \(experience.inMessage) is selected, but its variant \(index) names no entry"
        case .emptyVariant(let experience, let index):
            "experience \(experience.inMessage) is selected, and its variant \(index) shows nothing"
        case .variantMissing(let experience, let id, let problem):
            "experience \(experience.inMessage) is selected, but its variant \(id.inMessage) "
                + (problem?.description ?? "is not in nt_variants")
        case .variant(let experience, let index, let id):
            "experience \(experience.inMessage) is selected with variant \(index), the entry \(id.inMessage)"
        }
    }
}

/// The elements of `nt_experiences`.
public struct ExperienceCount: Hashable, Sendable, CustomStringConvertible {
    public var complete = 0
    public var leftOut = 0
    /// Of the first that is left out.
    public var problem: EntryProblem?

    init(_ elements: [JSONValue]) {
        for element in elements {
            do throws(EntryProblem) {
                _ = try ExperienceFields(element)
                complete += 1
            } catch {
                leftOut += 1
                problem = problem ?? error
            }
        }
    }

    public var description: String {
        let selected =
            complete == 1
            ? "the entry's experience is not selected" : "none of the entry's \(complete) experiences is selected"
        guard let problem else { return selected }
        return "\(selected); \(leftOut) of \(complete + leftOut) are left out: the first \(problem)"
    }
}
