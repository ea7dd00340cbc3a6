"""Words to fill the templates with. Spellings of one value are parted by "|"; the first is the one that is said."""

from __future__ import annotations

from tests.dialogue_records import Aside


def _split(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


def rising(pool: tuple[str, ...]) -> tuple[str, ...]:
    """Pairs "lower / higher" of a pool that stands in order; two spellings of one value make no pair."""
    return tuple(
        f"{low} / {high}"
        for place, low in enumerate(pool)
        for high in pool[place + 1 :]
        if not set(low.split("|")) & set(high.split("|"))
    )


def falling(pool: tuple[str, ...]) -> tuple[str, ...]:
    """Pairs "higher / lower" of a pool that stands in order."""
    return tuple(" / ".join(reversed(pair.split(" / "))) for pair in rising(pool))


CITIES = _split(
    "Leeds, York, Porto, Austin, Denver, Lisbon, Tampa, Ghent, Lyon, Turin, Oslo, Malmö, Krakow, Bristol, Portland, "
    "Santa Fe, New Orleans, Chicago, Toronto, Halifax, Cork, Galway, Basel, Hamburg, Osaka, Nairobi, Lima, Quito"
)
EMPLOYERS = _split(
    "Novalis, Brightwater, Halden Labs, Corvane, Tessera, Oakline, Meridian Freight, Pixelforge, Quantive, "
    "Redfern Foods, Solstice Energy, Umbra Games, Verity Health, Wexford Bank, Yellowtail, Zephyr Air"
)
JOBS = _split(
    "nurse, data engineer, teacher, carpenter, product manager, chef, designer, librarian, plumber, tax adviser"
)
DRINKS = _split(
    "coffee, black tea, green tea, espresso, orange juice, hot chocolate, oat milk, chai, cappuccino, kombucha, "
    "matcha, lemonade, mint tea, tomato juice"
)
FOODS = _split(
    "mushrooms, olives, blue cheese, sushi, pineapple pizza, lentil soup, oysters, peanut butter, liquorice, ramen, "
    "fried eggs, spicy curry, marzipan, tofu, beetroot, sardines, cilantro"
)
PASTIMES = _split(
    "jazz, opera, horror films, camping, running, yoga, board games, true crime podcasts, swimming, bouldering, chess, "
    "karaoke, gardening, country music, crossword puzzles, video games"
)
TASTES = FOODS + PASTIMES
DISHES = _split(
    "tea / lemon, coffee / oat milk, yoghurt / honey, pancakes / maple syrup, toast / marmalade, pasta / pesto, "
    "chips / vinegar, porridge / cinnamon, popcorn / sea salt, pizza / anchovies, rice / soy sauce, waffles / cream"
)
NAMES = _split(
    "Marta, Tobias, Priya, Callum, Ingrid, Rafael, Noor, Desmond, Yuki, Beatrix, Anselm, Zadie, Viktor, Leonie"
)
PETS = _split("Miso, Biscuit, Pepper, Waffles, Luna, Ziggy, Mango, Nimbus, Pickle, Rocket, Tofu, Clementine")
LANGUAGES = _split("Spanish, Portuguese, Japanese, German, Polish, Swahili, Italian, Korean, Dutch, Arabic")
INSTRUMENTS = _split("piano, cello, ukulele, trumpet, violin, accordion, drums, clarinet")
ALLERGIES = _split(
    "peanuts, shellfish, penicillin, pollen, cats, kiwi fruit, latex, walnuts, strawberries, wasp stings"
)
ADDRESSES = _split(
    "12 Alder Lane, 48 Quarry Road, 7 Mill Street, 230 Lakeview Drive, 91 Cedar Avenue, 5 Harbour Row, 16 Finch Close"
)
EMAILS = _split("m.costa@example.com, tobias88@example.org, hello@zadie.example, nina.w@example.net, r2@example.com")
PHONES = tuple(f"{p}-0{n}|{p}0{n}|{p} 0{n}" for p, n in ((555, 142), (555, 187), (555, 119), (555, 163), (555, 135)))
PINS = _split("4821, 9073, 3316, 7740, 2658, 6192")
SALARIES = tuple(f"${n},500|${n}500|{n},500|{n}500" for n in (48, 52, 61, 67, 74, 83))

RENTS = tuple(
    f"{said}|${n:,}|${n}|{n:,}|{n}"
    for n in (950, 1050, 1150, 1200, 1275, 1340, 1425, 1580, 1690)
    for said in (f"${n:,}", f"${n}", f"{n} dollars")
)
FEES = tuple(f"${n}|{n} dollars|{n}" for n in (25, 32, 39, 45, 49, 58, 64))
WEIGHTS = tuple(f"{n} kg|{n}kg|{n} kilos|{n}" for n in (58, 63, 67, 72, 76, 81, 88, 94))
AGES = tuple(f"{n} / {n + 1}" for n in (24, 29, 33, 37, 41, 46, 52, 58, 63))
FLIGHTS = _split("BA214, BA862, LH1907, UA455, KL1023, AF78, TP1355, AY832")
ROOMS = _split("412, 305, 118, 227, 509, 631, 744, 216")
COUNTS = _split("4, 6, 7, 9, 11, 14, 17")
DOSES = tuple(f"{n} mg|{n}mg|{n}" for n in (5, 10, 20, 25, 50, 75, 100))
NEAR_NUMBERS = _split("214 / 241, 318 / 381, 126 / 162, 507 / 570, 449 / 494, 133 / 313, 802 / 820")
NEAR_PRICES = _split("45 / 46, 1150 / 1160, 89 / 98, 120 / 102, 310 / 301, 64 / 46")

_MONTHS = ("April", "May", "June", "July", "August", "September", "October", "November")


def _ordinal(day: int) -> str:
    ending = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def _date(day: int, month: int) -> tuple[str, ...]:
    """One value for each way of saying it: the said one first, the others as further spellings."""
    name, nth = _MONTHS[month - 4], _ordinal(day)
    said = (f"{name} {day}", f"{day} {name}", f"{name} {nth}", f"the {nth} of {name}")
    more = (f"{nth} of {name}", f"{nth} {name}", f"{month:02}-{day:02}")
    return tuple("|".join(dict.fromkeys((way, *said, *more))) for way in said)


DATES = tuple(
    said
    for day, month in (
        (21, 4),
        (4, 5),
        (11, 5),
        (19, 6),
        (3, 7),
        (22, 8),
        (14, 9),
        (30, 9),
        (8, 10),
        (27, 10),
        (16, 11),
    )
    for said in _date(day, month)
)

ASIDES = (
    Aside("pet", ("My cat is called {v}.", "My dog's name is {v}.", "I have a parrot called {v}."), PETS),
    Aside("language", ("I speak {v}.", "I'm learning {v}.", "I take {v} lessons on Thursdays."), LANGUAGES),
    Aside("music", ("I play the {v}.", "I've played the {v} since I was ten."), INSTRUMENTS),
    Aside("taste", ("I like {v}.", "I'm really into {v}.", "I love {v}."), PASTIMES),
    Aside("allergy", ("I'm allergic to {v}.",), ALLERGIES),
    Aside(
        "sibling", ("My brother's name is {v}.", "My brother {v} is a doctor."), ("Olaf", "Julian", "Pavel", "Kenji")
    ),
    Aside("sibling", ("My sister's name is {v}.", "My sister {v} is a pilot."), ("Agnes", "Simone", "Carmen", "Freya")),
    Aside("car", ("I drive a {v}.", "My car is a {v}."), ("Skoda", "Honda", "Fiat Panda", "red Volvo", "Subaru")),
    Aside("team", ("I support {v}.",), ("Arsenal", "Benfica", "the Cubs", "Ajax")),
)

OPENERS = (
    "By the way, ", "Oh, ", "Oh and ", "So, ", "Hey, ", "Hi! ", "Hello. ", "Just so you know, ", "FYI, ", "Well, ",
    "Quick update: ", "Actually, ", "Good morning! ", "Btw, ", "Anyway, ", "Ah, ",
)  # fmt: skip
CLOSERS = (
    " Just so you know.", " Thanks!", " :)", " Anyway.", " Crazy, right?", " Long story.", " Hope you're well.", " 😊",
    " How are you today?", " Ha.",
)  # fmt: skip
CHAT = (
    "It's been raining all day.", "What a week.", "The trains were late again.", "I barely slept last night.",
    "The sunset is gorgeous right now.", "Traffic was awful this morning.", "Can you recommend a good book?",
    "I just had lunch.", "Thanks for the recipe yesterday, it was great.", "What's a good way to remove a wine stain?",
)  # fmt: skip

ZH_CITIES = _split("北京, 上海, 成都, 杭州, 广州, 深圳, 南京, 西安, 重庆, 苏州, 青岛, 厦门, 昆明, 长沙, 大连, 武汉")
ZH_EMPLOYERS = _split("星河科技, 蓝海银行, 远山设计院, 青藤教育, 百川物流, 云帆软件, 华茂医院, 金桥出版社")
ZH_DRINKS = _split("咖啡, 绿茶, 豆浆, 牛奶, 红茶, 橙汁, 乌龙茶, 普洱, 柠檬水")
ZH_TASTES = _split("香菜, 火锅, 榴莲, 爬山, 跑步, 恐怖片, 摇滚乐, 臭豆腐, 游泳, 钓鱼, 苦瓜, 京剧, 露营, 羽毛球")
ZH_NAMES = _split("李明轩, 王思远, 陈雨桐, 赵子墨, 周晓岚, 林可欣, 孙浩然, 何静怡")
ZH_RENTS = _split("3200, 3500, 3800, 4100, 4600, 5200, 5700, 6300")
ZH_PHONES = _split("13800002211, 13900004477, 13700008831, 13600005529, 15000006612")
ZH_ADDRESSES = _split("建设路18号, 梧桐街52号, 人民路307号, 花园巷6号, 滨江大道88号")
ZH_EMAILS = _split("lin@example.com, haoran@example.org, wang88@example.net")
ZH_DATES = tuple(
    f"{m}月{d}日|{m}月{d}号|{m:02}-{d:02}"
    for m, d in ((4, 21), (5, 4), (5, 13), (6, 19), (7, 3), (8, 22), (9, 14), (10, 8), (11, 16))
)
ZH_ASIDES = (
    Aside("pet", ("我的猫叫{v}。", "我养了一只狗，叫{v}。"), ("豆包", "年糕", "可乐", "芝麻", "团子")),
    Aside("language", ("我会说{v}。", "我在学{v}。"), ("日语", "法语", "德语", "西班牙语")),
    Aside("music", ("我会弹{v}。",), ("钢琴", "吉他", "古筝")),
    Aside("allergy", ("我对{v}过敏。",), ("花生", "海鲜", "芒果", "花粉")),
    Aside("taste", ("我喜欢{v}。",), ("看电影", "打羽毛球", "下围棋")),
)
ZH_OPENERS = ("对了，", "哦，", "嗯，", "跟你说一下，", "你好！", "早上好。", "话说，", "顺便说一句，")
ZH_CLOSERS = ("哈哈。", "谢谢！", "最近挺忙的。", "就这样。", "😊")
ZH_CHAT = ("今天下雨了。", "这周真累。", "早上堵车很严重。", "有什么好书推荐吗？", "刚吃完午饭。")
