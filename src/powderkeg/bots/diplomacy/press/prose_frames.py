"""The grammar of a marked sentence where it decides what is meant: who acts, when, and what is asked.

Phrases say what a sentence is about; whether it asks, tells of the past or speaks of somebody else turns
on small words and endings, which are few. They are looked for by form, not by phrase.
"""

import re

_PLAYED_EN = r"\w{3,}ed|took|went|came|broke|lied|built|left|sent|gave|stole|ran|let me down"
_PLAYED_ES = r"\w+(?:ado|ido)|dicho|roto|hecho|puesto|visto|escrito|vuelto"
_PLAYED_IT = r"\w+(?:ato|uto|ito)|mosso|preso|messo|detto|fatto|rotto|scritto|difeso|speso|perso"
_BETWEEN = r"(?:\w+ )?"

YOU_PLAYED = re.compile(
    rf"(?<! could)(?<! can)(?<! would)(?<! will)(?<! should)(?<! did)(?<! if) you (?:have |ve |had |just |also |already |then |really )*(?:{_PLAYED_EN}) "
    rf"| (?:did|have) you (?:just |really |ever )?\w+ "
    r"| (?!triste |existe |chiste |insiste |consiste |resiste |contraste |baste )\w{2,}[ai]ste "
    rf"| (?:has|habias|habiamos) {_BETWEEN}(?:{_PLAYED_ES}) "
    rf"| (?:hai|avevi|avevamo|sei|eri|ti sei|ti eri|saresti) {_BETWEEN}(?:{_PLAYED_IT}|andat[oa]|entrat[oa]) "
    r"| (?:what|que|che|cosa) (?:is|are|s|hace|hacen|ci fa|ci fanno|fa|fanno) (?:your|tu|tus|la tua|le tue) "
    r"(?:army|armies|fleets?|units?|ejercitos?|flotas?|armat[ae]|flott[ae]) "
    r"| why (?:is|are) (?:there|your) | your word | tu palabra | parola data "
)
I_PLAYED = re.compile(
    rf"(?<! if) i (?:have |ve |had |just |only )*(?:{_PLAYED_EN}) "
    rf"| (?:he|habia) {_BETWEEN}(?:{_PLAYED_ES}) | (?:me movi|entre en|tome|ataque|fui) "
    rf"| (?:ho|avevo|mi sono) {_BETWEEN}(?:{_PLAYED_IT}|andat[oa]|entrat[oa]) "
)
NOT_PLAYED = re.compile(
    r" you (?:\w+ )?(?:proposed|offered|suggested|asked|wanted|wrote) "
    r"| (?:propusiste|ofreciste|sugeriste|pediste|escribiste) | has (?:propuesto|ofrecido|sugerido|pedido|escrito) "
    r"| (?:hai|avevi) (?:proposto|offerto|suggerito|chiesto|scritto) "
    r"| i (?:wanted|needed|hoped|wished|agreed|accepted|promised|said) | (?:ho|he) (?:capito|entendido|detto|dicho) "
    r"| (?:did|have) you (?:get|see|read|got|seen|want|understand|a|an|any|peace) "
)

GAME_VERB = re.compile(
    r" (?:l(?:ie|ied|ying)|br(?:oke|oken|eak)|betray|stab|attack|promis|mov|took|take|support|bounc|hit|stole|said|agreed|let me down|"
    r"army|armies|fleet|armat|flott|ejercito|flota|help|your word|ment|romp|roto|traicion|apunal|atac|promet|tom|apoy|rebot|dij|dicho|qued|ayud|habl|palabra|enga|"
    r"rott|tradi|pugnal|attacc|promess|moss|preso|presa|appogg|rimbalz|dett|aiut|parlat|parola|freg|ingann)"
)
ASKS_WHY = re.compile(
    r" (?:why|por que|perche) (?!not |no |non |should |don t |deber\w* |dovr\w+ |would |wouldn t )(?:\w+ )?"
    r"(?:you|your|me|te|ti|mi|has|hai|sei|tu|\w+ste) "
)

_SUBJECT = r"(?:^|,|that|que|che|if|si|se|but|pero|ma|because|porque|perche|and|y|e|as|think|now|ahora|ora)"
_ARTICLE = r"(?:(?:the|la|l|el|los|i|gli|al|del|all|alla) )?"
OTHER_ACTS = re.compile(
    rf"{_SUBJECT} {_ARTICLE}#[A-Z]+ (?!(?:and|or|y|e|o|ed|first|primero|prima|together|juntos|insieme|out|"
    r"with|con|to|a|in|en|before|as|then|instead) )[a-z]"
)
_NOT_OF = "".join(
    f"(?<! {word} )"
    for word in [
        "of",
        "on",
        "about",
        "with",
        "against",
        "de",
        "sobre",
        "con",
        "contra",
        "a",
        "di",
        "dell",
        "della",
        "contro",
        "to",
    ]
)
ASKS_OF_OTHER = re.compile(
    r" (?:what|why|where|who|how|que|cosa|che|donde|dove|como|come(?! down | to | in | and | on | up )|quien|chi|know|sabes|sai) (?:\w+ ){0,6}?"
    rf"{_NOT_OF}{_ARTICLE}#[A-Z]+ "
    rf"|^ (?:(?:is|has|does|did|will|was|would|hey|oye) )?{_ARTICLE}#[A-Z]+ (?!(?:and|y|e|,|or|o) )\w+ .*\?"
)

_GO = (
    r"(?:go|going|move|moving|enter|entering|attack|attacking|touch|touching|head|heading|sail|sailing|come|coming|"
    r"invade|opening|open|walk|march|marching|ir|iras|ire|vas|voy|vaya|vayas|entr\w+|mover\w*|muev\w+|atac\w+|ataqu\w+|"
    r"acerc\w+|acerqu\w+|avvicin\w+|approach\w*|sal(?:ir|ga|gas|iera|ieras|es|gamos)|usc\w+|esca|esci|fueras?|fueses?|andass\w+|veng\w+|vendr\w+|venir|venire|vieni|verrai|mandar\w*|mandes|mandi|enviar\w*|envies|inviar\w*|invii|send\w*|put|putting|bring\w*|toc\w+|toques|met\w+|pis\w+|andr\w+|andare|vado|vai|vada|muov\w+|attacc\w+|tocc\w+|mett\w+|"
    r"andato|entrato)"
)
_WHERE = (
    r"(?:(?:to|into|in|on|for|near|towards|the|army|fleet|your|my|any|a|al|en|hacia|el|la|lo|los|las|mi|tu|su|ninguno|nadie|nessuno|niente|nulla|nada|anything|nothing|either|anyone|ejercito|flota|"
    r"nel|nella|nello|nell|sul|sulla|il|l|verso|armata|flotta|units|unidades|unita|with|con) ){0,4}?@\w+"
)
_NO_LOOKS = r"(?!(?:looks?|seems?|is|was|parece|esta|estaba|sembra|e|era) )"
_EMPTY = r"(?:empty|clear|free|neutral|libres?|vaci[oa]s?|vuot[oaie]|liber[oaie]|sgomber[oa])"
_NEITHER = r"(?:neither of us|none of us|ni tu ni yo|ni yo ni tu|ne io ne te|ne io ne tu|ne tu ne io|ne te ne me|off limits)"
NOT_THERE = re.compile(
    rf" (?:not|won t|don t|never|no|non|ni|nunca|mai) (?:\w+ ){{0,3}}?{_GO} (?!me |you |us |each |mi |ti |te |nos |ci ){_WHERE}"
    rf"| (?:nobody|no one|nadie|nessuno|neither of us) (?:\w+ ){{0,5}}?@\w+"
    rf"| (?:leav\w+|keep\w*|dej\w+|lasci\w+|ten\w+|tien\w+|mant\w+) (?:\w+ )?{_EMPTY} (?:the |el |la |il |lo |l )?@\w+"
    rf"| (?:an|a|un|una) {_EMPTY} @\w+"
    rf"| (?:ningun\w*|nessun\w*|no|none of) (?:\w+ ){{1,4}}?{_GO} {_WHERE}"
    rf"|@\w+ (?:\w+ ){{0,3}}?(?:nobody|nadie|nessuno) "
    rf"|@\w+ (?:, )?(?:\w+ ){{0,3}}?{_NEITHER} | {_NEITHER} (?:\w+ ){{0,4}}?@\w+"
    rf"|@\w+ (?:{_NO_LOOKS}\w+ ){{0,4}}?(?:empty|clear|free|neutral|vaci[oa]s?|libres?|vuot[oaie]|liber[oaie]|sgomber[oa]) "
)
_GOES_YOU = (
    rf"(?:are|will|do|were) you (?:\w+ ){{0,4}}?{_GO} | you re (?:\w+ ){{0,3}}?{_GO} "
    rf"| (?:vas|iras|piensas|vais|entraras|entras|moveras|atacaras|mueves|vienes) (?:\w+ ){{0,4}}?"
    rf"| (?:vai|andrai|vuoi|pensi|entri|entrerai|muovi|attacchi|attaccherai|vieni) (?:\w+ ){{0,4}}?"
)
ASKS_OF_PLANS = re.compile(
    rf" (?:{_GOES_YOU})[^?]*@\w+ [^?]*\?"
    r"| you (?:\w+ ){0,2}?(?:going|heading|attacking|planning|aiming|after|opening|moving|coming|headed)(?: \w+){0,3} #[A-Z]+ [^?]*\?"
    r"| (?:vas|iras|atacaras|atacas|piensas|vai|andrai|attacchi|attaccherai|punti)(?: \w+){0,4} #[A-Z]+ [^?]*\?"
)
CONFIRMS = re.compile(  # can you confirm that you are moving north?
    r" (?:confirm|tell me|dime|dimmi|confermi|confirmas|confirmame|confermami)(?: \w+){0,3} "
    r"(?:you|vas|iras|vai|andrai|mueves|muovi) "
)
TAGGED = re.compile(  # you are not going there, are you?
    rf" (?:you|iras|vas|vuoi|andrai|vai|entras|entri) (?:\w+ ){{0,4}}?{_GO} (?:\w+ )*@\w+ , (?:are you|will you|right|verdad|vero) \? $"
    rf"| (?:iras|vas|vuoi|andrai|vai|entras|entri) [^,?]*@\w+ , (?:verdad|vero) \? $"
)
REQUESTS = re.compile(
    r" (?:can|could|promise|prometes|prometti|would you mind|would you like|please|together|we|us|puedes|podrias|te importaria|por favor|"
    r"quieres que|puoi|potresti|ti dispiacerebbe|per favore|vuoi che|support\w*|apoy\w+|appogg\w+|me|mi|with me|"
    r"conmigo|con me|if|si|se) "
)


_AS_WAR = (
    r"(?:consider|take|see|treat|count|regard)(?:ing|s)? (?:it|this|that) |"
    r"(?:tomare|tomo|considerare|considero|vere|veo|interpretare|entendere) (?:\w+ )?como |"
    r"lo (?:prendo|prendero|considero|considerero|interpreto|vedo|vedro) "
)
_HOSTILE = r"(?:war|attack|hostil\w*|aggress\w+|betray\w*|stab|guerra|ataque|traicion|agresion|attacco|tradimento|ostil\w*|enem\w+|nemic\w+)"
TAKEN_AS_WAR = re.compile(rf" (?:{_AS_WAR})(?:\w+ ){{0,4}}?{_HOSTILE} ")
_OFFERED = (
    r"you (?:\w+ )?(?:propos\w+|offer\w*|suggest\w*|ask\w*|sa[iy]d?|wrote|sent|want\w*) "
    r"|(?:propusiste|ofreciste|sugeriste|pediste|escribiste|propones|ofreces|sugieres|pides|dices) "
    r"|has (?:propuesto|ofrecido|sugerido|pedido|escrito|dicho) "
    r"|(?:hai|avevi) (?:proposto|offerto|suggerito|chiesto|scritto|detto) |(?:proponi|offri|suggerisci|chiedi|dici) "
)
_CONTENT = (
    r"(?:fine|ok|okay|good|great|agree|happy|like|works|deal|sounds|accept|yes|bien|vale|acepto|acuerdo|gusta|parece|"
    r"conforme|perfecto|bene|accordo|accetto|piace|perfetto|sta) "
)
OFFERED = re.compile(
    rf" {_CONTENT}(?:\w+ ){{0,4}}?(?:what|that|lo que|como|quello che|cio che|come) (?:\w+ ){{0,2}}?(?:{_OFFERED})"
    rf"| (?:what|lo que|quello che|cio che) (?:\w+ ){{0,2}}?(?:{_OFFERED})(?:\w+ ){{0,4}}?{_CONTENT}"
)


PARTNERS = re.compile(
    rf" (?:with|con|conmigo|contigo)(?: (?:me|you|us|te|mi))?(?: (?:and|y|e)) {_ARTICLE}#([A-Z]+)"
    rf"| (?:together with|junto con|junto a|insieme a|insieme alla|insieme all|alongside) {_ARTICLE}#([A-Z]+)"
)


DENIES = re.compile(  # a whole sentence: nah; not on your life
    r" (?:(?:(?!or |yes |o |si )\w+ |meglio di )?(?:no|nah|nope|never|mai|nunca|jamas) (?:, )?$"
    r"|(?:not|no|non|never|nope|nah|ni) (?!.*(?:[@#?]|tampoco|nemmeno|neanche|either)).*\w)"
)
_LISTED_POWERS = re.compile(rf"#[A-Z]+ (?:(?:, )?(?:and|y|e|ed|or|o) |, ){_ARTICLE}(?=#)")


def lists_powers(words: str) -> bool:
    """Whether all powers of a clause stand in one list: ``against Austria and Russia``."""
    return len(_LISTED_POWERS.findall(words)) >= len(set(re.findall(r"#[A-Z]+", words))) - 1


def named_partners(words: str) -> set[str]:
    """The powers that shall join the two: ``with me and Russia``."""
    return {one or other for one, other in PARTNERS.findall(words)}


_OTHER = rf"(?:{_ARTICLE}#[A-Z]+|him|them|her|los|lo)"
OTHER_OUT = re.compile(
    rf" (?:keep\w*|kick\w*|push\w*|drive|driving|throw\w*|hold\w*|block\w*|stop\w*) (?:{_OTHER} )+(?:out|off|away|from|back|in) "
    rf"| (?:manten\w*|echa\w*|saca\w*|fren\w+|bloque\w+) (?:a )?{_OTHER} (?:\w+ ){{0,2}}?(?:fuera|lejos|en|de) "
    rf"| (?:tien\w*|ten\w+|cacci\w+|butt\w+|blocc\w+|ferm\w+) (?:i |gli )?{_OTHER} (?:\w+ ){{0,2}}?(?:fuori|lontan\w|in|da) "
    rf"|(?<! to)(?<! para)(?<! per) (?:bounc\w+|rebot\w+|rimbalz\w+)(?: a| la| i| los| gli)* {_OTHER} "
)
_HIT = (
    r"(?:eliminar|eliminare|kill|take out|take down|stop|contain|frenar|parar|detener|fermare|contenere|bloccare|attack|hit|stab|crush|invade|destroy|fight|target|go (?:for|after|against|at)|move (?:on|against)|ataqu\w+|atacas?|"
    r"(?:vayas|vas|ve|ir|id|vamos) (?:a por|contra)|attacchi|attacca|attaccare|attacchiamo|colpisci|colpire|"
    r"(?:vai|vada|andare|andiamo) contro)"
)
URGES_ATTACK = re.compile(
    rf" (?:propongo|propose|suggest|help me|help us|ayudame|ayudarme|me ayudas|aiutami|mi aiuti|you|please|if you|rather you|we|us|let s|que|si|tu|se|che) (?:\w+ ){{0,3}}?{_HIT} (?:a )?{_ARTICLE}#[A-Z]+ "
    r"|#[A-Z]+ (?:\w+ ){0,3}?(?:together|juntos|insieme) "
    r"| (?:we|us|let s|tu y yo|io e te|you and me|you and i|me and you|los dos|noi due|podemos|podriamos|vamos|nos|juntos|\w+iamo|potremmo|insieme|together) (?:\w+ ){0,5}?"
    rf"(?:against|contra|contro) {_ARTICLE}#[A-Z]+ "
)


def keeps_other_out(words: str) -> bool:
    """Whether somebody else shall be kept out of a place, or bounced: ``keep Russia out of Norway``."""
    return bool(OTHER_OUT.search(words))


def urges_attack(words: str) -> bool:
    """Whether the reader, or both sides, shall attack somebody: ``if you attack France``."""
    asked = words.endswith(" ? ") and not REQUESTS.search(words)
    return bool(URGES_ATTACK.search(words)) and not asked


_NO = r"(?:not|no|non|won t|don t|never|nunca|mai|without|sin|senza)"
_HARM_EN = (
    r"(?:attack|stabb?|hitt?|fight|harm|hurt|bother|touch|betray|cross|backstab|invade|disturb|threaten|"
    r"(?:come|go|move|turn|coming|going|moving) (?:after|at|for|against|on))(?:ing)?"
)
_HARM_ES = r"(?:atac\w*|ataqu\w*|molest\w+|traicion\w+|toc\w+|toqu\w+|invad\w+|apunal\w+|fastidi\w+|ha(?:go|re|gas) nada)"
_HARM_IT = r"(?:attacc\w+|disturb\w+|tradi\w+|tocc\w+|invad\w+|pugnal\w+|infastid\w+|faccio niente|faro niente)"
_WANT = r"(?:want|wanna|quiero|queremos|busco|voglio|vogliamo|cerco)"
_TROUBLE = r"(?:fight\w*|war|trouble|conflict\w*|quarrel|guerra|pelea\w*|lios?|litig\w+|conflitt\w+|guai|rogne)"
NO_HARM = re.compile(
    rf" (?:don t|do not|no|non) {_WANT} (?:\w+ ){{0,2}}?{_TROUBLE} "
    rf"| (?:not interested in|no me interesa|non mi interessa) (?:\w+ )?{_TROUBLE} "
    rf"| {_NO} (?:\w+ ){{0,3}}?{_HARM_EN} (?:\w+ )?(?:you|me|us|each other|one another) "
    rf"| {_NO} (?:\w+ ){{0,2}}?(?:me|te|nos|os) (?:(?:voy|vas|vamos) a )?{_HARM_ES} "
    rf"| {_NO} (?:voy|ire|vayas|vamos|ir) (?:a ir )?(?:contra|a por) (?:ti|mi) "
    rf"| {_NO} (?:\w+ ){{0,2}}?(?:mi|ti|ci) (?:\w+ )?{_HARM_IT} "
    rf"| {_NO} \w+ (?:contro di|addosso a|contro) (?:te|me) | {_NO} rompere (?:le scatole|le palle) "
    rf"| {_NO} (?:para |per )?(?:atacar|molestar|traicionar|tocar)(?:me|te|nos) | {_NO} (?:per )?(?:attaccar|disturbar|tradir|toccar)(?:mi|ti|ci) "
)


FRAME_VERBS = {  # what the frames of a wish may have for a verb
    "zone": re.compile(rf"(?<= ){_GO}(?= )"),
    "peace": re.compile(
        rf"(?<= )(?:{_NO} {_WANT} (?:a |la |una )?{_TROUBLE}|{_HARM_EN}|{_HARM_ES}|{_HARM_IT})(?= )"
    ),
    "alliance": re.compile(rf"(?<= ){_HIT}(?= )"),
}


ELSEWHERE = re.compile(
    rf" (?:against|contra|contro|at|on|por|addosso) (?:a |alla |all )?{_ARTICLE}#[A-Z]+ "
)


_WOE = (
    r"(?:war|done|trouble|goodbye|bye|regret|over|enem\w+|fight|sorry|consequences|friendship|guerra|adios|lios?|problemas|enemig\w+|"
    r"acab\w+|amistad|addio|guai|nemic\w+|finit[ao]|amicizia|problemi)"
)
WARNS = re.compile(
    rf"@\w+ (?:[^? ]+ ){{0,8}}?(?:or|o|oppure) (?:[^? ]+ ){{0,8}}?@\w+ (?:[^? ]+ ){{0,8}}?(?:and|then|,|y|e|entonces|allora|poi) (?!(?:\S+ )*(?:no|not|without|sin|non|senza) )(?:\S+ ){{0,8}}{_WOE} "
)
TIME_CLAUSE = re.compile(
    r" (?:before|while|until|till|as soon as|antes (?:de )?que|mientras|hasta que|prima che|mentre|finche|appena) "
    rf"{_ARTICLE}#[A-Z]+ \w[^,@]*(?=[,?]|$)"
    rf"| (?:hasta que|finche|mientras|until|till) (?:\w+ ){{1,3}}{_ARTICLE}#[A-Z]+(?= )"
)
IN_PEACE = re.compile(
    r" (?:leav\w+|dej\w+|lasci\w+) (?:\S+ ){0,6}?(?:in peace|en paz|in pace) (?:(?:a |the |el |la |il |lo |l |y |e |and )*@\w+ )*"
)


def warns_of_moves(words: str) -> bool:
    """Whether a sentence says what follows from one move or another: ``go to A or B, and it is war``."""
    return bool(WARNS.search(words))


def without_time(words: str) -> str:
    """A sentence without a clause of time about somebody else: ``before the English wake up``."""
    return TIME_CLAUSE.sub(" ", words).replace("  ", " ")


def leaves_in_peace(words: str) -> bool:
    """Whether places shall be left in peace, which is no peace: ``dejemos en paz Tirol``."""
    return "@" in words and bool(IN_PEACE.search(words))


def aims_elsewhere(words: str) -> bool:
    """Whether a sentence threatens somebody else: ``voy con todo contra Austria``."""
    return bool(ELSEWHERE.search(words))


def sets_terms(words: str) -> bool:
    """Whether a yes has a condition: ``accetto solo se``, ``ok, but``."""
    return bool(re.search(r" (?:if|si|se|unless|siempre que|provided) ", words))


def lists_names(words: str) -> bool:
    """Whether a piece of a sentence has only names: ``Black Sea too``."""
    return "@" in words and not re.sub(
        r"@\w+|\b(?:and|or|y|e|o|ed|ni|nor|ne|but|then|pero|ma|entonces|allora|the|el|la|il|lo|l|los|too|also|as|well|tambien|anche|in|en|nel|nella|a|al|plus|mas|piu)\b|[:?]|\s",
        "",
        words,
    )


def denies_harm(words: str) -> bool:
    """Whether a sentence says that one side shall not harm the other: ``no te ataco``."""
    return bool(NO_HARM.search(words))


REFUSES_DEAL = re.compile(
    r" (?:no|no more|without|sin|ningun|niente|nessun|senza) (?:\w+ )?"
    r"(?:deal|pact|treaty|agreement|alliance|trato|acuerdo|pacto|tratado|alianza|accordo|patto|trattato|alleanza) "
    r"| (?:changed my mind|cambiado de (?:idea|opinion)|cambiato idea) "
)


def refuses_deal(words: str) -> bool:
    """Whether a sentence wants no agreement: ``niente accordo``, ``I changed my mind``."""
    return bool(REFUSES_DEAL.search(words)) and not words.endswith(" ? ")


def forbids(words: str) -> bool:
    """Whether a sentence tells its reader what not to do: ``don't send``, ``no mandes``."""
    return bool(re.match(r" (?:please )?(?:don t|do not|no \w+[ae]s|non \w+re) ", words))


def takes_as_war(words: str) -> bool:
    """Whether a sentence says what its writer would call an attack."""
    return bool(TAKEN_AS_WAR.search(words))


def refers_to_offer(words: str) -> bool:
    """Whether a sentence is content with what its reader wrote: ``I'm fine with what you proposed``."""
    return bool(OFFERED.search(words))


def tells_of_your_past(words: str) -> bool:
    """Whether a sentence is about what its reader did in the game: ``you took Belgium``, ``did you lie?``"""
    played = bool(YOU_PLAYED.search(words)) and not NOT_PLAYED.search(words)
    return played and _is_of_game(words)


def asks_why(words: str) -> bool:
    """Whether a sentence asks for the reasons of what its reader plays: ``why are you in Galicia?``"""
    return bool(ASKS_WHY.search(words)) and _is_of_game(words)


def _is_of_game(words: str) -> bool:
    return "@" in words or bool(GAME_VERB.search(words))


def tells_of_my_past(words: str) -> bool:
    """Whether a sentence is about what its writer did: ``I only moved there because...``"""
    return bool(I_PLAYED.search(words)) and not NOT_PLAYED.search(words)


def tells_of_others(words: str) -> bool:
    """Whether somebody else acts in a sentence: ``Austria is weak``, ``if Italy wins``."""
    return bool(OTHER_ACTS.search(words))


TOLD = re.compile(
    r" , (?:\w+ ){0,2}(?:no|eh|right|true|verdad|cierto|vero|sabes|sai|it|he|she|they|you) \? $"
)


def tells_with_tag(words: str) -> bool:
    """Whether a statement about somebody else only ends like a question: ``France lies, you know?``"""
    return tells_of_others(words) and bool(TOLD.search(words))


ABOUT_OTHER = re.compile(
    rf" (?:trust|believe|fido|fidi|fidarmi|credo|fio|confio|creo|confias|fias) (?:\w+ )?{_ARTICLE}#"
    rf"| (?:deal|agreement|pact|treaty|alliance|peace|acuerdo|trato|pacto|alianza|paz|accordo|patto|alleanza|pace) "
    rf"(?:with|con) {_ARTICLE}#"
    rf"|^ (?:\w+ ){{0,4}}(?:with|con) {_ARTICLE}#[A-Z]+ (?:\w+ ){{0,4}}(?:acuerdo|trato|pacto|alianza|accordo|patto|alleanza) "
)


def is_with_other(words: str) -> bool:
    """Whether trust or a deal in a sentence is somebody else's: ``I have no deal with Germany``."""
    return bool(ABOUT_OTHER.search(words))


def is_about_other(words: str) -> bool:
    """Whether somebody else acts in a sentence, or is trusted or dealt with."""
    return tells_of_others(words) or is_with_other(words)


def asks_of_others(words: str) -> bool:
    """Whether a question is about what somebody else does: ``what is Turkey up to?``"""
    return bool(ASKS_OF_OTHER.search(words))


ASKS_OPENLY = re.compile(
    r" (?:(?:and|so|y|e|but|pero|ma) )?(?:what|where|who|how|why|when|which|que|cual|donde|quien|como|cuando|cosa|chi|dove|quale|come|quando)"
    r" (?:\S+ )+\? $"
)


def asks_openly(words: str) -> bool:
    """Whether a sentence asks for more than a yes or a no: ``so what will you do?``"""
    return bool(ASKS_OPENLY.match(words))


ASKS_OF_HIM = re.compile(
    r" (?:is|are|was|will|does|do|did|has|have|would|where|what|why|how) (?:\w+ )?(?:he|she|they) "
    r"|^ (?:\w+ )?(?:lui|loro|ella|ellos) (?:\w+ ){0,4}\? $"
)


def asks_of_him(words: str) -> bool:
    """Whether a question is about somebody who is not named again: ``where is he going?``"""
    return bool(ASKS_OF_HIM.search(words))


IF_OTHER = re.compile(rf" (?:if|whether|si|se) {_ARTICLE}(?:#[A-Z]+|he|she|they|lui|loro) ")


def wonders_of_others(words: str) -> bool:
    """Whether a sentence wants to know what somebody else does: ``tell me if Italy writes``."""
    return bool(IF_OTHER.search(words))


def asks_of_plans(words: str) -> bool:
    """Whether a sentence asks if its reader goes somewhere, and does not request it."""
    if TAGGED.search(words) or CONFIRMS.search(words):
        return True
    return bool(ASKS_OF_PLANS.search(words)) and not REQUESTS.search(words)


def without_kept_out(words: str) -> str:
    """A sentence without the words that keep units out of a place, or from harm."""
    return NO_HARM.sub(" ", NOT_THERE.sub(" ", words))


def keeps_out(words: str) -> bool:
    """Whether a sentence wants a place without units: ``I won't go to``, ``nobody in``, ``empty``."""
    return bool(NOT_THERE.search(words))


UNREAL = re.compile(
    r" (?:was|were|wasn|weren|had|hadn|did|didn|been|whether|whoe\w+|whose|aware|suppose|supposed|said|says|saying|told|tells|tell|telling|knows|thinks|believes|"
    r"wrote|claims|thought|wonder\w*|otherwise|would have|would ve|d have|could have|ago|yesterday|already|never (?:\w+ed|kept|did|gave|held|was|were|had)|ever since|too bad|shame|pity|last (?:turn|year|time|game|season)) "
    r"| (?:iba|ibas|eras|fue|fui|fueron|estaba|estabas|habia|habias|habiamos|hiciste|hizo|dijo|dije|dijiste|dice|dicen|dicho|sabe|cree|piensa|"
    r"hablamos|ojala|habria|hubiera|casi|lastima|pena|supongo|sabes|sabias|acaso|pasado|ayer|anoche|quien|quienes|\w{3,}[ai]ste) "
    r"| (?:era|eri|ero|erano|stavo|stavi|avevo|avevi|avevamo|aveva|avessi|detto|disse|dice|dicono|diceva|crede|pensa|avrei|avresti|quasi|peccato|magari|"
    r"suppongo|sai|sapevi|sapeva|risulta|ieri|scors[oa]|passat[oa]|chi|chiunque|(?:hai|ha|avete|hanno) mai) "
    r"| (?:thanks|thank you|gracias|grazie) (?:for|por|per|di|del|della|dell|dello|dei|delle|that|que|che) "
    r"| (?:don t|do not|can t) (?:understand|see) | no (?:entiendo|veo) | non (?:capisco|vedo) |^ vaya (?!s )"
    r"|^ (?:before(?! anything)|after|when(?! do we | shall we )|once|who|how(?! about)|why(?! not | don t )|cuando|despues|antes(?! de nada | que nada )|en cuanto|quando|dopo|prima(?! di tutto )|appena) "
)


def opens_with_condition(words: str) -> bool:
    """Whether words begin with an *if*."""
    return words.startswith((" if ", " si ", " se "))


def only_tells(words: str, remark: str) -> bool:
    """Whether a statement is no question about what holds or about plans: ``our peace was broken``."""
    if remark == "plans":
        return opens_with_condition(words)
    return remark == "standing" and is_unreal(words)


def is_unreal(words: str) -> bool:
    """Whether words speak of what was, might have been, or was only said: ``I was going to propose``."""
    return bool(UNREAL.search(words))


# A sentence about what another power does or wants: ``England wants peace``, ``tell Italy to move``.
OTHER_SUBJECT = re.compile(
    r" (?:tell |ask |dile a |di a |di all |di alla |the |la |l )?#[A-Z]+ "
    r"(?:\w+ed|wants|want|asks|offers|says|said|told|will|is|has|moves|supports|attacks|to|quiere|dice|me|"
    r"ofrece|va|esta|ha|que|mueve|apoya|ataca|vuole|mi|offre|sta|di|muove|appoggia|attacca)\b"
)
